"""A headless Chromium behind chromedriver, with nothing but Python's own library."""

import json
import re
import subprocess
import urllib.request


class Browser:
    def __init__(self):
        self.driver, port = self.start()
        self.root = f"http://127.0.0.1:{port}/session"
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900"]}
        wishes = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
        self.root += "/" + self.call("", wishes)["sessionId"]

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
        return json.load(urllib.request.urlopen(request, timeout=60))["value"]

    def devtools(self, method, **parameters):
        return self.call("/goog/cdp/execute", {"cmd": method, "params": parameters})

    def run(self, script):
        return self.call("/execute/sync", {"script": script, "args": []})

    def quit(self):
        urllib.request.urlopen(urllib.request.Request(self.root, method="DELETE"), timeout=60).read()
        self.driver.terminate()
        self.driver.wait()
