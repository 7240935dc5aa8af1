#pragma once
// There is nothing to call. An executable that links this target gets its own recv() and MHD_queue_response(), through which the MicroHTTP
// library sees the bytes that libmicrohttpd reads and the errors that it sends itself. Both replace functions in the whole process, so
// libraries must not link this target. Without it chunked bodies are refused, and libmicrohttpd sends its own error responses.
