#include "CCurl.h"

#include <curl/curl.h>

static bool initialized;

__attribute__((constructor)) static void initialize(void) {
    // Runs before main, because curl_global_init must not run at the same time as another call.
    initialized = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

bool ccurl_initialize(void) { return initialized; }

const char *ccurl_version(void) { return curl_version(); }

int64_t ccurl_date(const char *text) {
    time_t seconds = curl_getdate(text, NULL);
    return seconds < 0 ? -1 : seconds;
}

ccurl_url *ccurl_url_parse(const char *text, const char *base) {
    CURLU *url = curl_url();
    if (!url) return NULL;
    unsigned flags = CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE;
    if ((base && curl_url_set(url, CURLUPART_URL, base, flags) != CURLUE_OK) ||
        curl_url_set(url, CURLUPART_URL, text, flags) != CURLUE_OK) {
        curl_url_cleanup(url);
        return NULL;
    }
    curl_url_set(url, CURLUPART_FRAGMENT, NULL, 0);
    return (ccurl_url *)url;
}

char *ccurl_url_get(ccurl_url *url, ccurl_url_part part) {
    static const CURLUPart parts[] = {CURLUPART_URL,  CURLUPART_SCHEME,   CURLUPART_HOST,    CURLUPART_PORT,
                                      CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_ZONEID};
    char *value = NULL;
    unsigned flags = part == CCURL_URL_PORT ? CURLU_DEFAULT_PORT : 0;
    return curl_url_get((CURLU *)url, parts[part], &value, flags) == CURLUE_OK ? value : NULL;
}

void ccurl_url_destroy(ccurl_url *url) { curl_url_cleanup((CURLU *)url); }

void ccurl_free(char *string) { curl_free(string); }
