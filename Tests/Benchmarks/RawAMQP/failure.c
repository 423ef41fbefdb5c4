#include "failure.h"

#include <amqp_framing.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("RawAMQP: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(1);
}

_Noreturn void fail_with(const char *action, uint16_t code, amqp_bytes_t text) {
    fail("%s: %d %.*s", action, code, text.len > 512 ? 512 : (int)text.len, (const char *)text.bytes);
}

_Noreturn void fail_unexpected(amqp_method_t method) {
    if (method.id == AMQP_CHANNEL_CLOSE_METHOD) {
        const amqp_channel_close_t *close = method.decoded;
        fail_with("the broker closed the channel", close->reply_code, close->reply_text);
    }
    if (method.id == AMQP_CONNECTION_CLOSE_METHOD) {
        const amqp_connection_close_t *close = method.decoded;
        fail_with("the broker closed the connection", close->reply_code, close->reply_text);
    }
    if (method.id == AMQP_BASIC_CANCEL_METHOD) fail("the broker cancelled the consumer");
    fail("unexpected method %s", amqp_method_name(method.id));
}

void check(int status, const char *action) {
    if (status != AMQP_STATUS_OK) fail("%s: %s", action, amqp_error_string2(status));
}

void check_reply(amqp_rpc_reply_t reply, const char *action) {
    if (reply.reply_type == AMQP_RESPONSE_NORMAL) return;
    if (reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION) fail_unexpected(reply.reply);
    fail("%s: %s", action, amqp_error_string2(reply.library_error));
}
