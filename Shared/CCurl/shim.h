#ifndef SERAI_CCURL_H
#define SERAI_CCURL_H

#include <curl/curl.h>
#include <string.h>

// Swift calls no function with a variable number of arguments; these are curl_easy_setopt for each kind of value.
static inline CURLcode serai_curl_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode serai_curl_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode serai_curl_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

// A mail that is being sent, and what is known of it.
struct serai_mail {
    const char *bytes;
    size_t length;
    // How much libcurl has taken.
    size_t taken;
    // The first four letters of the last command, such as RCPT; not QUIT, by which libcurl ends a connection after a refusal.
    char command[5];
    // Whether the caller wants it to be left.
    int (*is_stopped)(const void *of);
    const void *of;
};

static size_t serai_mail_read(char *to, size_t size, size_t count, void *from) {
    struct serai_mail *mail = (struct serai_mail *)from;
    size_t part = size * count;
    if (part > mail->length - mail->taken) part = mail->length - mail->taken;
    memcpy(to, mail->bytes + mail->taken, part);
    mail->taken += part;
    return part;
}

// Of all that libcurl can tell, only the name of a command is kept: addresses and passwords stand behind it.
static int serai_mail_trace(CURL *handle, curl_infotype type, char *data, size_t size, void *to) {
    struct serai_mail *mail = (struct serai_mail *)to;
    (void)handle;
    if (type == CURLINFO_HEADER_OUT && size >= 4 && memcmp(data, "QUIT", 4) != 0) memcpy(mail->command, data, 4);
    return 0;
}

// A mail whose body is on its way is sent to its end: nobody would know otherwise whether the server has it.
static int serai_mail_watch(void *watched, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    const struct serai_mail *mail = (const struct serai_mail *)watched;
    (void)a, (void)b, (void)c, (void)d;
    return mail->taken == 0 && mail->is_stopped(mail->of);
}

// Sends it over the connection that the handle has, or a new one.
static inline CURLcode serai_curl_send(CURL *handle, struct serai_mail *mail) {
    curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, serai_mail_read);
    curl_easy_setopt(handle, CURLOPT_READDATA, mail);
    curl_easy_setopt(handle, CURLOPT_VERBOSE, 1L);
    curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, serai_mail_trace);
    curl_easy_setopt(handle, CURLOPT_DEBUGDATA, mail);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, serai_mail_watch);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, mail);
    CURLcode result = curl_easy_perform(handle);
    // The mail is gone after this call; closing the connection later sends QUIT, which is traced, too.
    curl_easy_setopt(handle, CURLOPT_DEBUGDATA, NULL);
    curl_easy_setopt(handle, CURLOPT_VERBOSE, 0L);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 1L);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, NULL);
    curl_easy_setopt(handle, CURLOPT_READDATA, NULL);
    return result;
}

// The number of the server's last answer, 0 without one.
static inline long serai_curl_answer(CURL *handle) {
    long answer = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer);
    return answer;
}

static inline CURLcode serai_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

#endif
