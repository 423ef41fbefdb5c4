// The yardstick of the AMQP benchmarks: what a plain C loop on librabbitmq does on the same broker.
// One thread, one connection, one channel. One JSON line on success; a message and exit code 1 on any failure.

#include "failure.h"

#include <amqp.h>
#include <amqp_framing.h>
#include <amqp_tcp_socket.h>

#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { channel = 1, deadline_seconds = 30, heartbeat_seconds = 30, frame_max_bytes = 131072, uuid_length = 36 };

// Messages confirmed or received so far: what the watchdog watches.
static atomic_ulong progress;

// librabbitmq writes without a timeout to a peer that no longer reads, so a timer looks for progress every second.
static void watch(int signal_number) {
    static const char message[] = "RawAMQP: no progress for 30 seconds\n";
    static unsigned long last;
    static int idle_seconds;
    unsigned long current = atomic_load_explicit(&progress, memory_order_relaxed);
    (void)signal_number;
    idle_seconds = current == last ? idle_seconds + 1 : 0;
    last = current;
    // Two seconds after the deadline of reads, which have a better message.
    if (idle_seconds < deadline_seconds + 2) return;
    ssize_t ignored = write(STDERR_FILENO, message, sizeof message - 1);
    (void)ignored;
    _exit(1);
}

static void start_watchdog(void) {
    struct sigaction action = {.sa_handler = watch, .sa_flags = SA_RESTART};
    struct itimerval every_second = {.it_interval = {1, 0}, .it_value = {1, 0}};
    if (sigaction(SIGALRM, &action, NULL) != 0 || setitimer(ITIMER_REAL, &every_second, NULL) != 0)
        fail("the watchdog timer could not be started");
}

// ---- Arguments and result

static uint64_t number(const char *text, const char *name, uint64_t lowest, uint64_t highest) {
    char *end = NULL;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value < lowest || value > highest)
        fail("%s must be a number from %" PRIu64 " to %" PRIu64, name, lowest, highest);
    return value;
}

static double monotonic_seconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) fail("clock_gettime failed");
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void print_result(uint64_t count, double start) {
    double seconds = monotonic_seconds() - start;
    printf("{\"count\":%" PRIu64 ",\"seconds\":%.6f,\"per_second\":%.1f}\n", count, seconds, (double)count / seconds);
}

// ---- Connection

static amqp_table_entry_t entry(const char *key, amqp_field_value_t value) {
    return (amqp_table_entry_t){.key = amqp_cstring_bytes(key), .value = value};
}

static amqp_field_value_t text(const char *value) {
    return (amqp_field_value_t){.kind = AMQP_FIELD_KIND_UTF8, .value.bytes = amqp_cstring_bytes(value)};
}

static void log_in(amqp_connection_state_t connection, const struct amqp_connection_info *info) {
    // Without these the broker tells neither of an alarm nor of a cancelled consumer.
    const amqp_field_value_t yes = {.kind = AMQP_FIELD_KIND_BOOLEAN, .value.boolean = 1};
    amqp_table_entry_t capabilities[] = {
        entry("publisher_confirms", yes), entry("basic.nack", yes), entry("connection.blocked", yes),
        entry("consumer_cancel_notify", yes), entry("authentication_failure_close", yes),
    };
    amqp_table_t table = {.num_entries = 5, .entries = capabilities};
    amqp_field_value_t value = {.kind = AMQP_FIELD_KIND_TABLE, .value.table = table};
    amqp_table_entry_t property = entry("capabilities", value);
    amqp_table_t properties = {.num_entries = 1, .entries = &property};
    // The path "/" of a URL names the empty virtual host; clients commonly take it for the default one.
    const char *virtual_host = info->vhost[0] == '\0' ? "/" : info->vhost;
    check_reply(
        amqp_login_with_properties(connection, virtual_host, channel, frame_max_bytes, heartbeat_seconds, &properties,
                                   AMQP_SASL_METHOD_PLAIN, info->user, info->password),
        "log in");
}

static amqp_connection_state_t connect_to(char *url) {
    const struct timeval deadline = {deadline_seconds, 0};
    struct amqp_connection_info info;
    // The URL holds a password: no message repeats it.
    check(amqp_parse_url(url, &info), "read the URL");
    if (info.ssl) fail("amqps is not supported: the yardstick measures plain TCP");
    amqp_connection_state_t connection = amqp_new_connection();
    amqp_socket_t *socket = connection == NULL ? NULL : amqp_tcp_socket_new(connection);
    if (socket == NULL) fail("out of memory");
    check(amqp_socket_open_noblock(socket, info.host, info.port, &deadline), "connect");
    check(amqp_set_handshake_timeout(connection, &deadline), "set the handshake timeout");
    check(amqp_set_rpc_timeout(connection, &deadline), "set the RPC timeout");
    log_in(connection, &info);
    amqp_channel_open(connection, channel);
    check_reply(amqp_get_rpc_reply(connection), "open the channel");
    return connection;
}

// False when `seconds` passed without a frame; zero takes only what is there.
static bool read_frame(amqp_connection_state_t connection, amqp_frame_t *frame, int seconds) {
    const struct timeval wait = {seconds, 0};
    int status = amqp_simple_wait_frame_noblock(connection, frame, &wait);
    if (status == AMQP_STATUS_TIMEOUT) return false;
    check(status, "read");
    return true;
}

// ---- Publish

typedef struct {
    uint64_t published;
    uint64_t confirmed;
    uint64_t lowest;   // the lowest tag without a confirm
    uint8_t *settled;  // by tag: confirms may come out of order
    bool blocked;
} ledger_t;

static void confirm(ledger_t *ledger, uint64_t tag, bool multiple) {
    if (multiple && tag == 0) tag = ledger->published;
    if (tag == 0 || tag > ledger->published) fail("the broker confirmed unknown tag %" PRIu64, tag);
    for (uint64_t each = multiple ? ledger->lowest : tag; each <= tag; each++) {
        ledger->confirmed += !ledger->settled[each];
        ledger->settled[each] = 1;
    }
    while (ledger->lowest <= ledger->published && ledger->settled[ledger->lowest]) ledger->lowest++;
    atomic_store_explicit(&progress, ledger->confirmed, memory_order_relaxed);
}

// A nack or a return makes the measurement worthless, so both end it.
static void apply(ledger_t *ledger, const amqp_frame_t *frame) {
    if (frame->frame_type != AMQP_FRAME_METHOD) fail("unexpected frame of type %d", frame->frame_type);
    amqp_method_t method = frame->payload.method;
    switch (method.id) {
        case AMQP_BASIC_ACK_METHOD: {
            const amqp_basic_ack_t *ack = method.decoded;
            confirm(ledger, ack->delivery_tag, ack->multiple);
            break;
        }
        case AMQP_BASIC_NACK_METHOD:
            fail("the broker refused message %" PRIu64, ((amqp_basic_nack_t *)method.decoded)->delivery_tag);
        case AMQP_BASIC_RETURN_METHOD: {
            const amqp_basic_return_t *returned = method.decoded;
            fail_with("the broker returned a message", returned->reply_code, returned->reply_text);
        }
        case AMQP_CONNECTION_BLOCKED_METHOD: ledger->blocked = true; break;
        case AMQP_CONNECTION_UNBLOCKED_METHOD: ledger->blocked = false; break;
        default: fail_unexpected(method);
    }
}

// Waits for one frame, then takes all that came with it: one system call for many confirms.
static void read_confirms(amqp_connection_state_t connection, ledger_t *ledger) {
    amqp_frame_t frame;
    if (!read_frame(connection, &frame, deadline_seconds))
        fail("no confirm for %d seconds%s", deadline_seconds, ledger->blocked ? ": the broker has an alarm" : "");
    do {
        apply(ledger, &frame);
        amqp_maybe_release_buffers(connection);
    } while ((amqp_frames_enqueued(connection) || amqp_data_in_buffer(connection)) &&
             read_frame(connection, &frame, 0));
}

static void declare_queue(amqp_connection_state_t connection, amqp_bytes_t queue) {
    amqp_table_entry_t arguments[] = {
        entry("x-queue-type", text("quorum")),
        entry("x-delivery-limit", (amqp_field_value_t){.kind = AMQP_FIELD_KIND_I32, .value.i32 = 5}),
    };
    amqp_queue_declare(connection, channel, queue, 0, 1, 0, 0, (amqp_table_t){.num_entries = 2, .entries = arguments});
    check_reply(amqp_get_rpc_reply(connection), "declare the queue");
}

// Writes the count as the last 48 bits of the identifier.
static void number_uuid(char *uuid, uint64_t count) {
    for (int digit = uuid_length - 1; digit >= uuid_length - 12; digit--, count >>= 4)
        uuid[digit] = "0123456789abcdef"[count & 15];
}

// librabbitmq writes each frame by itself. Corked, a burst leaves in full packets: half the client's CPU time.
static void cork(int socket, int corked) {
#ifdef TCP_CORK
    if (setsockopt(socket, IPPROTO_TCP, TCP_CORK, &corked, sizeof corked) != 0) fail("TCP_CORK could not be set");
#else
    (void)socket, (void)corked;
#endif
}

static void publish_all(amqp_connection_state_t connection, amqp_bytes_t queue, uint64_t count, amqp_bytes_t body,
                        uint64_t window, ledger_t *ledger) {
    char uuid[uuid_length + 1];
    uint64_t milliseconds = (uint64_t)time(NULL) * 1000;
    snprintf(uuid, sizeof uuid, "%08" PRIx64 "-%04" PRIx64 "-7000-8000-000000000000", (milliseconds >> 16) & 0xffffffff,
             milliseconds & 0xffff);
    amqp_table_entry_t headers[] = {
        entry("causation_id", text("0190a0c4-7b1e-7c3a-9d52-3f6b8e1a2c4d")),
        entry("traceparent", text("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")),
    };
    amqp_basic_properties_t properties = {
        ._flags = AMQP_BASIC_CONTENT_TYPE_FLAG | AMQP_BASIC_HEADERS_FLAG | AMQP_BASIC_DELIVERY_MODE_FLAG |
                  AMQP_BASIC_CORRELATION_ID_FLAG | AMQP_BASIC_MESSAGE_ID_FLAG | AMQP_BASIC_TIMESTAMP_FLAG |
                  AMQP_BASIC_TYPE_FLAG | AMQP_BASIC_APP_ID_FLAG,
        .content_type = amqp_cstring_bytes("application/json"),
        .headers = {.num_entries = 2, .entries = headers},
        .delivery_mode = AMQP_DELIVERY_PERSISTENT,
        .correlation_id = amqp_cstring_bytes("0190a0c4-7b1e-7c3a-9d52-3f6b8e1a2c4e"),
        .message_id = {.len = uuid_length, .bytes = uuid},
        .type = amqp_cstring_bytes("benchmark.message.published.v1"),
        .app_id = amqp_cstring_bytes("benchmark"),
    };
    int socket = amqp_get_sockfd(connection);
    while (ledger->confirmed < count) {
        cork(socket, 1);
        while (!ledger->blocked && ledger->published < count && ledger->published - ledger->confirmed < window) {
            number_uuid(uuid, ++ledger->published);
            properties.timestamp = (uint64_t)time(NULL);
            check(amqp_basic_publish(connection, channel, amqp_empty_bytes, queue, 1, 0, &properties, body), "publish");
        }
        cork(socket, 0);
        read_confirms(connection, ledger);
    }
}

static void publish(amqp_connection_state_t connection, amqp_bytes_t queue, char **arguments) {
    uint64_t count = number(arguments[0], "COUNT", 1, 100000000);
    uint64_t body_bytes = number(arguments[1], "BYTES", 2, 16 << 20);
    uint64_t window = number(arguments[2], "WINDOW", 1, 65535);
    ledger_t ledger = {.lowest = 1, .settled = calloc(count + 1, 1)};
    char *body = malloc(body_bytes);
    if (ledger.settled == NULL || body == NULL) fail("out of memory");
    // A JSON string of the size asked for.
    memset(body, 'x', body_bytes);
    body[0] = body[body_bytes - 1] = '"';

    declare_queue(connection, queue);
    amqp_confirm_select(connection, channel);
    check_reply(amqp_get_rpc_reply(connection), "select confirms");
    double start = monotonic_seconds();
    publish_all(connection, queue, count, (amqp_bytes_t){.len = body_bytes, .bytes = body}, window, &ledger);
    print_result(count, start);
    free(body);
    free(ledger.settled);
}

// ---- Consume

static void expect(amqp_connection_state_t connection, amqp_frame_t *frame, uint8_t type) {
    if (!read_frame(connection, frame, deadline_seconds)) fail("no delivery for %d seconds", deadline_seconds);
    if (frame->frame_type == type) return;
    if (frame->frame_type == AMQP_FRAME_METHOD) fail_unexpected(frame->payload.method);
    fail("unexpected frame of type %d", frame->frame_type);
}

// Copies one whole message into `body`, which grows to the longest. Returns its delivery tag.
static uint64_t receive(amqp_connection_state_t connection, amqp_bytes_t *body) {
    amqp_frame_t frame;
    expect(connection, &frame, AMQP_FRAME_METHOD);
    if (frame.payload.method.id != AMQP_BASIC_DELIVER_METHOD) fail_unexpected(frame.payload.method);
    uint64_t tag = ((amqp_basic_deliver_t *)frame.payload.method.decoded)->delivery_tag;
    expect(connection, &frame, AMQP_FRAME_HEADER);
    uint64_t size = frame.payload.properties.body_size;
    if (size > body->len) *body = (amqp_bytes_t){.len = size, .bytes = realloc(body->bytes, size)};
    if (size > 0 && body->bytes == NULL) fail("out of memory");
    for (uint64_t received = 0; received < size;) {
        expect(connection, &frame, AMQP_FRAME_BODY);
        amqp_bytes_t part = frame.payload.body_fragment;
        if (part.len > size - received) fail("a body longer than its header says");
        memcpy((char *)body->bytes + received, part.bytes, part.len);
        received += part.len;
    }
    amqp_maybe_release_buffers(connection);
    return tag;
}

static void consume(amqp_connection_state_t connection, amqp_bytes_t queue, char **arguments) {
    uint64_t count = number(arguments[0], "COUNT", 1, 100000000);
    uint64_t prefetch = number(arguments[1], "PREFETCH", 1, 65535);
    // More than the prefetch would never be delivered unacknowledged.
    uint64_t ack_every = number(arguments[2], "ACK_EVERY", 1, prefetch);
    amqp_basic_qos(connection, channel, 0, (uint16_t)prefetch, 0);
    check_reply(amqp_get_rpc_reply(connection), "set the prefetch");
    amqp_basic_consume(connection, channel, queue, amqp_empty_bytes, 0, 0, 0, amqp_empty_table);
    check_reply(amqp_get_rpc_reply(connection), "consume");

    amqp_bytes_t body = {0};
    double start = 0;
    for (uint64_t received = 1; received <= count; received++) {
        uint64_t tag = receive(connection, &body);
        if (received == 1) start = monotonic_seconds();
        if (received % ack_every == 0 || received == count)
            check(amqp_basic_ack(connection, channel, tag, 1), "acknowledge");
        atomic_store_explicit(&progress, received, memory_order_relaxed);
    }
    print_result(count, start);
    free(body.bytes);
}

int main(int argument_count, char **arguments) {
    const char *command = argument_count > 1 ? arguments[1] : "";
    bool publishes = strcmp(command, "publish") == 0 || strcmp(command, "fill") == 0;
    bool consumes = strcmp(command, "consume") == 0;
    bool deletes = strcmp(command, "delete") == 0;
    if (!((publishes || consumes) && argument_count == 7) && !(deletes && argument_count == 4))
        fail("usage:\n  RawAMQP publish|fill URL QUEUE COUNT BYTES WINDOW\n"
             "  RawAMQP consume URL QUEUE COUNT PREFETCH ACK_EVERY\n  RawAMQP delete URL QUEUE");
    start_watchdog();
    amqp_connection_state_t connection = connect_to(arguments[2]);
    amqp_bytes_t queue = amqp_cstring_bytes(arguments[3]);
    if (publishes) publish(connection, queue, arguments + 4);
    if (consumes) consume(connection, queue, arguments + 4);
    if (deletes) {
        amqp_queue_delete(connection, channel, queue, 0, 0);
        check_reply(amqp_get_rpc_reply(connection), "delete the queue");
    }
    check_reply(amqp_channel_close(connection, channel, AMQP_REPLY_SUCCESS), "close the channel");
    check_reply(amqp_connection_close(connection, AMQP_REPLY_SUCCESS), "close the connection");
    check(amqp_destroy_connection(connection), "destroy the connection");
    return 0;
}
