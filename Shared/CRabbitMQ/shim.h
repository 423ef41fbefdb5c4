#ifndef SERAI_CRABBITMQ_H
#define SERAI_CRABBITMQ_H

#include <amqp.h>
#include <amqp_framing.h>
#include <amqp_ssl_socket.h>
#include <amqp_tcp_socket.h>

// librabbitmq's login is variadic, which Swift cannot call. PLAIN is the one mechanism in use.
static inline amqp_rpc_reply_t serai_amqp_login(amqp_connection_state_t state, const char *vhost, int channel_max,
                                                int frame_max, int heartbeat, const amqp_table_t *properties,
                                                const char *user, const char *password) {
    return amqp_login_with_properties(state, vhost, channel_max, frame_max, heartbeat, properties,
                                      AMQP_SASL_METHOD_PLAIN, user, password);
}

// librabbitmq 0.11, Debian 12's, cannot name a version above TLS 1.2 as the least; OpenSSL, which it uses, can. Declared here
// as <openssl/ssl.h> declares it, so that no more of that header is in the module.
struct ssl_ctx_st;
long SSL_CTX_ctrl(struct ssl_ctx_st *context, int command, long number, void *pointer);

// Refuses everything below TLS 1.3. The socket must not be open yet. Returns whether OpenSSL took it.
static inline int serai_amqp_require_tls13(amqp_socket_t *socket) {
    enum { set_min_proto_version = 123, tls13 = 0x0304 };
    struct ssl_ctx_st *context = (struct ssl_ctx_st *)amqp_ssl_socket_get_context(socket);
    return context != 0 && SSL_CTX_ctrl(context, set_min_proto_version, tls13, 0) == 1;
}

#endif
