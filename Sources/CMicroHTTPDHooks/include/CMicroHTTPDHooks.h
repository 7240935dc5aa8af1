#pragma once
// Nothing to call: an executable that links this has recv() and MHD_queue_response() of its own, by which the MicroHTTP library sees
// what libmicrohttpd reads and what it answers by itself. That goes for the whole process, so libraries must not link it. Without it
// bodies in chunks are refused, and what libmicrohttpd refuses it answers in its own way.
