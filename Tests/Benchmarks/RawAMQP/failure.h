// How the yardstick ends when anything fails: a message on standard error, and exit code 1.

#pragma once

#include <amqp.h>

_Noreturn void fail(const char *format, ...);

// For what the broker says with a code and a text.
_Noreturn void fail_with(const char *action, uint16_t code, amqp_bytes_t text);

// For a method that the broker sent instead of the one that was waited for.
_Noreturn void fail_unexpected(amqp_method_t method);

// For the status of a call of librabbitmq's.
void check(int status, const char *action);

void check_reply(amqp_rpc_reply_t reply, const char *action);
