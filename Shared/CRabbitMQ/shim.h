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

#endif
