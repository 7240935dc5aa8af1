"""A headless Chromium behind chromedriver, with nothing but Python's own library."""

import json
import re
import subprocess
import urllib.request


class Browser:
    def __init__(self, tracing=False):
        """Tracing: the browser writes down the work of its main thread, see `trace`."""
        self.driver, port = self.start()
        self.root = f"http://127.0.0.1:{port}/session"
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900"]}
        wishes = {"goog:chromeOptions": options, "timeouts": {"script": 600_000}}
        if tracing:
            options["perfLoggingPrefs"] = {
                "enableNetwork": False, "enablePage": False,
                "traceCategories": "devtools.timeline,disabled-by-default-devtools.timeline"}
            wishes["goog:loggingPrefs"] = {"performance": "ALL"}
        session = self.call("", {"capabilities": {"alwaysMatch": wishes}})
        self.root += "/" + session["sessionId"]
        self.process = session["capabilities"].get("goog:processID")

    @staticmethod
    def start(attempts=5):
        """Of two drivers that start at once and pick the same port one gives up; it is then tried again."""
        driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        for line in driver.stdout:
            if found := re.search(r"successfully on port (\d+)", line):
                return driver, found[1]
        driver.wait()
        if attempts == 1:
            raise RuntimeError("chromedriver does not start")
        return Browser.start(attempts - 1)

    def call(self, path, body):
        request = urllib.request.Request(self.root + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        return json.load(urllib.request.urlopen(request, timeout=620))["value"]

    def devtools(self, method, **parameters):
        return self.call("/goog/cdp/execute", {"cmd": method, "params": parameters})

    def run(self, script):
        return self.call("/execute/sync", {"script": script, "args": []})

    def wait(self, script):
        """Runs the body of an async function."""
        result = self.call("/execute/async", {"args": [], "script": f"""
            const done = arguments[0];
            (async () => {{ {script} }})().then(() => done(null), (error) => done(String(error)));"""})
        if result:
            raise RuntimeError(result)

    def trace(self):
        messages = (json.loads(entry["message"])["message"] for entry in self.call("/se/log", {"type": "performance"}))
        return [message["params"] for message in messages if message["method"] == "Tracing.dataCollected"]

    def quit(self):
        urllib.request.urlopen(urllib.request.Request(self.root, method="DELETE"), timeout=60).read()
        self.driver.terminate()
        self.driver.wait()
