import { catalogue, count, isolate } from "../../../shared/words";

const somebody = { en: "the provider", ar: "مقدم الخدمة" };
const named = (name: string, language: "en" | "ar"): string => (name ? isolate(name) : somebody[language]);

/** Words that all kinds of orders share. */
export const words = catalogue({
  order: { en: "Order", ar: "الطلب" },
  missing: { en: "This order is not here", ar: "هذا الطلب غير موجود" },
  missingText: { en: "It is somebody else's, or was removed", ar: "قد يكون لشخص آخر أو تم حذفه" },
  toOrders: { en: "See all orders", ar: "عرض كل الطلبات" },

  // Sentences.
  pending: { en: "Waiting for your payment", ar: "بانتظار الدفع" },
  pendingHint: { en: "Nobody is asked before it is paid", ar: "لن يُرسل الطلب إلى أحد قبل الدفع" },
  pendingSeen: { en: "Waiting for the payment", ar: "بانتظار دفع العميل" },
  completed: { en: "Completed", ar: "اكتمل الطلب" },
  cancelledByMe: { en: "You cancelled this order", ar: "لقد ألغيت هذا الطلب" },
  cancelledByOther: { en: (name: string) => `${named(name, "en")} cancelled the order`, ar: (name: string) => `ألغى ${named(name, "ar")} الطلب` },
  cancelledByAdmin: { en: "This order was cancelled for you", ar: "تم إلغاء هذا الطلب من الإدارة" },
  cancelled: { en: "This order was cancelled", ar: "تم إلغاء هذا الطلب" },
  refused: { en: "This order was declined", ar: "تم رفض هذا الطلب" },
  refusedByMe: { en: "You declined this order", ar: "لقد رفضت هذا الطلب" },
  expired: { en: "The time for this order ran out", ar: "انتهت مهلة هذا الطلب" },
  disputed: { en: "This order is under review", ar: "هذا الطلب قيد المراجعة" },
  disputedHint: { en: "We look at the report and decide about the money. You will be told", ar: "ندرس البلاغ ونقرر بشأن المبلغ، وسنبلغك بالنتيجة" },
  nothingCharged: { en: "You were not charged", ar: "لم يُخصم منك أي مبلغ" },

  // Clock.
  payWithin: { en: "to pay", ar: "للدفع" },
  until: { en: (moment: string) => `Until ${moment}`, ar: (moment: string) => `حتى ${moment}` },
  away: { en: (time: string) => `${time} away`, ar: (time: string) => `على بُعد ${time}` },

  // Parts.
  car: { en: "The car", ar: "السيارة" },
  person: { en: "With", ar: "الطرف الآخر" },
  services: { en: "Services", ar: "الخدمات" },
  total: { en: "Total", ar: "الإجمالي" },
  discount: { en: (code: string) => `Promo code ${isolate(code)}`, ar: (code: string) => `الرمز الترويجي ${isolate(code)}` },
  toPay: { en: "To pay", ar: "المطلوب دفعه" },
  roughTotal: { en: "About, until you accept", ar: "تقريبي حتى قبولك" },
  details: { en: "Details", ar: "التفاصيل" },
  when: { en: "When", ar: "الموعد" },
  now: { en: "As soon as possible", ar: "في أقرب وقت" },
  where: { en: "Where", ar: "المكان" },
  to: { en: "To", ar: "إلى" },
  from: { en: "From", ar: "من" },
  reason: { en: "Reason", ar: "السبب" },
  fine: { en: "Cancellation fee", ar: "رسوم الإلغاء" },
  companion: { en: "Companion", ar: "المرافق" },
  onMap: { en: "On the map", ar: "على الخريطة" },
  provider: { en: "Provider", ar: "مقدم الخدمة" },
  place: { en: "Place of the order", ar: "مكان الطلب" },
  you: { en: "You", ar: "أنت" },
  decision: { en: "Decision", ar: "القرار" },
  decisionReason: { en: "Why", ar: "سبب القرار" },

  // Money, each time it is near.
  unpaid: { en: "Not paid yet", ar: "لم يُدفع بعد" },
  cashDue: { en: (amount: string) => `${amount} in cash, at the end`, ar: (amount: string) => `${amount} نقدًا عند الانتهاء` },
  cashTake: { en: (amount: string) => `Take ${amount} in cash at the end`, ar: (amount: string) => `استلم ${amount} نقدًا عند الانتهاء` },
  held: { en: (amount: string, by: string) => `${amount} held ${by}, taken when it is done`, ar: (amount: string, by: string) => `${amount} محجوز ${by}، ويُخصم عند الانتهاء` },
  heldForProvider: { en: "Paid by the customer, held until the end", ar: "دفعها العميل، وهي محجوزة حتى الانتهاء" },
  captured: { en: (amount: string, by: string) => `${amount} paid ${by}`, ar: (amount: string, by: string) => `تم دفع ${amount} ${by}` },
  capturedForProvider: { en: "Paid. Your share is in your wallet", ar: "تم الدفع، وحصتك في محفظتك" },
  released: { en: (amount: string) => `${amount} given back`, ar: (amount: string) => `تمت إعادة ${amount}` },
  releasedForProvider: { en: "The money went back to the customer", ar: "أُعيد المبلغ إلى العميل" },
  refunded: { en: (amount: string) => `${amount} refunded`, ar: (amount: string) => `تم استرداد ${amount}` },
  toCard: { en: "to your card", ar: "إلى بطاقتك" },
  toWallet: { en: "to your wallet", ar: "إلى محفظتك" },
  tipGot: { en: (amount: string) => `${amount} tip for you`, ar: (amount: string) => `إكرامية لك ${amount}` },
  tipped: { en: (amount: string) => `${amount} tip`, ar: (amount: string) => `إكرامية ${amount}` },
  notPaid: { en: "It was not paid", ar: "لم يُدفع" },
  onCard: { en: "on your card", ar: "على بطاقتك" },
  inWallet: { en: "in your wallet", ar: "في محفظتك" },
  byCard: { en: "by card", ar: "بالبطاقة" },
  byWallet: { en: "from your wallet", ar: "من محفظتك" },
  byCash: { en: "in cash", ar: "نقدًا" },
  byApplePay: { en: "with Apple Pay", ar: "عبر Apple Pay" },
  byGooglePay: { en: "with Google Pay", ar: "عبر Google Pay" },
  byPayPal: { en: "with PayPal", ar: "عبر PayPal" },

  // Acts.
  pay: { en: (amount: string) => `Pay ${amount}`, ar: (amount: string) => `ادفع ${amount}` },
  cancel: { en: "Cancel the order", ar: "إلغاء الطلب" },
  report: { en: "Report a problem", ar: "الإبلاغ عن مشكلة" },
  navigate: { en: "Open in the map app", ar: "الفتح في تطبيق الخرائط" },
  again: { en: "Order again", ar: "الطلب مرة أخرى" },
  somebodyElse: { en: "Choose somebody else", ar: "اختيار مقدم خدمة آخر" },
  waitsForNetwork: { en: "You are offline. It is sent as soon as you are connected", ar: "لا يوجد اتصال. سيُرسل فور عودة الاتصال" },
  takeBack: { en: "Take it back", ar: "التراجع عنه" },
  seen: { en: "Seen", ar: "حسنًا" },
  call: { en: "Call", ar: "اتصال" },

  // Cancelling.
  cancelAsk: { en: "Cancel this order?", ar: "هل تريد إلغاء هذا الطلب؟" },
  cancelFree: { en: "It costs nothing. Money that is held is given back", ar: "الإلغاء مجاني، ويُعاد إليك أي مبلغ محجوز" },
  cancelFee: {
    en: (amount: string, way: string, fee?: string) =>
      `${amount} will be charged to your wallet: ${fee ? `${fee} for the late cancellation, the rest for` : "for"} the way made for you so far, ${way}. The price is given back`,
    ar: (amount: string, way: string, fee?: string) =>
      `سيُخصم ${amount} من محفظتك ${fee ? `(منها ${fee} للإلغاء المتأخر) ` : ""}مقابل المسافة المقطوعة إليك حتى الآن (${way})، ويُعاد إليك سعر الطلب`,
  },
  cancelGrown: { en: "The fee has grown meanwhile. Please look again", ar: "زادت الرسوم في هذه الأثناء. يرجى المراجعة مرة أخرى" },
  cancelYes: { en: "Cancel for free", ar: "إلغاء مجاني" },
  cancelYesFee: { en: (amount: string) => `Cancel and pay ${amount}`, ar: (amount: string) => `إلغاء ودفع ${amount}` },
  keep: { en: "Keep the order", ar: "الإبقاء على الطلب" },
  why: { en: "Why", ar: "السبب" },
  cancelled_: { en: "The order is cancelled", ar: "تم إلغاء الطلب" },

  // Reports.
  reportReason: { en: "What is wrong?", ar: "ما المشكلة؟" },
  reportNote: { en: "In your words", ar: "بكلماتك" },
  reportOwn: { en: "Please say what happened", ar: "يرجى وصف ما حدث" },
  reportEffect: { en: "What should happen to the order?", ar: "ماذا تريد أن يحدث للطلب؟" },
  reportStops: { en: "Stop the order", ar: "إيقاف الطلب" },
  reportGoesOn: { en: "Let it go on", ar: "متابعة الطلب" },
  reportSend: { en: "Send", ar: "إرسال" },
  reportSent: { en: "We have your report, and answer in your inbox", ar: "وصلنا بلاغك، وسيصلك الرد في الإشعارات" },
  reports: { en: "Reports", ar: "البلاغات" },
  reportWaits: { en: "We look at it", ar: "قيد المراجعة" },
  reportAnswer: { en: (text: string) => `Answer: ${isolate(text)}`, ar: (text: string) => `الرد: ${isolate(text)}` },

  // Ratings.
  rate: { en: "Rate", ar: "التقييم" },
  ratePerson: { en: (name: string) => `How was ${named(name, "en")}?`, ar: (name: string) => `كيف كانت تجربتك مع ${named(name, "ar")}؟` },
  comment: { en: "Comment", ar: "تعليق" },
  sendRating: { en: "Send the rating", ar: "إرسال التقييم" },
  starsFirst: { en: "Please choose the stars", ar: "يرجى اختيار عدد النجوم" },
  rated: { en: "Thank you for your rating", ar: "شكرًا على تقييمك" },
  yourRating: { en: "Your rating", ar: "تقييمك" },
  theirRating: { en: (name: string) => `Rating of ${named(name, "en")}`, ar: (name: string) => `تقييم ${named(name, "ar")}` },
  noRating: { en: "New here", ar: "جديد هنا" },

  // Tips.
  tip: { en: "Give a tip", ar: "إعطاء إكرامية" },
  tipText: { en: (name: string) => `${named(name, "en")} gets all of it, from your wallet`, ar: (name: string) => `تصل كاملة إلى ${named(name, "ar")} من محفظتك` },
  tipOther: { en: "Another amount", ar: "مبلغ آخر" },
  tipGive: { en: (amount: string) => `Give ${amount}`, ar: (amount: string) => `إعطاء ${amount}` },
  tipGiven: { en: "Your tip was given", ar: "تم إرسال الإكرامية" },
  tipBad: { en: "Write an amount, such as 10.00", ar: "اكتب مبلغًا، مثل 10.00" },

  stars: {
    en: (n: number) => count.en(n, { one: "# star", other: "# stars" }),
    ar: (n: number) => count.ar(n, { one: "نجمة واحدة", two: "نجمتان", few: "# نجوم", many: "# نجمة", other: "# نجمة" }),
  },
  talks: { en: "Messages", ar: "المحادثات" },
  talkWith: { en: (name: string) => `Write to ${isolate(name)}`, ar: (name: string) => `مراسلة ${isolate(name)}` },
  talkClosed: { en: "To be read", ar: "للقراءة" },
  talkUnread: {
    en: (n: number) => count.en(n, { one: "# new", other: "# new" }),
    ar: (n: number) => count.ar(n, { one: "رسالة جديدة", two: "رسالتان جديدتان", few: "# رسائل جديدة", many: "# رسالة جديدة", other: "# رسالة جديدة" }),
  },
});
