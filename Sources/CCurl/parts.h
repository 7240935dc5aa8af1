// Declarations that the files of this module share.
#pragma once
#include "CCurl.h"

#include <curl/curl.h>

struct ccurl_loop {
    CURLM *multi;
    int epoll;
    int wake;
    int64_t timer_us;  // when to call libcurl, -1 for never
    long open_sockets;
};

struct ccurl_transfer {
    CURL *easy;
    struct curl_slist *headers;
    struct curl_slist *resolutions;
    ccurl_loop *loop;
    void *context;
    ccurl_callbacks callbacks;
};
