import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Reported messages", ar: "الرسائل المبلّغ عنها" },
  none: { en: "No message is reported", ar: "لا رسائل مبلّغ عنها" },
  reason: { en: "Reason", ar: "السبب" },
  by: { en: "Reported by", ar: "المبلّغ" },
  order: { en: "Order", ar: "الطلب" },
  at: { en: "When", ar: "الوقت" },
  close: { en: "Close the report", ar: "إغلاق البلاغ" },
  closeText: { en: "The conversation cannot be read any more then, unless its order is reported", ar: "لا تمكن قراءة المحادثة بعدها، ما لم يكن طلبها مبلّغًا عنه" },
  closed: { en: "It is closed", ar: "أُغلق البلاغ" },
  newest: { en: "Show what was said last", ar: "عرض آخر ما قيل" },
  talk: { en: "Conversation", ar: "المحادثة" },
  number: { en: "Number of the message", ar: "رقم الرسالة" },
});
