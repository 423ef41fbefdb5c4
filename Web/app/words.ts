import { catalogue, count } from "../shared/words";

export const words = catalogue({
  offline: { en: "Please make sure that you are connected to the internet", ar: "يرجى التأكد من الاتصال بالإنترنت" },
  waiting: {
    en: (n: number) => count.en(n, { one: "One act waits for a connection", other: "# acts wait for a connection" }),
    ar: (n: number) => count.ar(n, {
      one: "إجراء واحد بانتظار الاتصال", two: "إجراءان بانتظار الاتصال", few: "# إجراءات بانتظار الاتصال", many: "# إجراءً بانتظار الاتصال",
      other: "# إجراء بانتظار الاتصال",
    }),
  },
  sentLate: { en: (label: string) => `Sent: ${label}`, ar: (label: string) => `تم الإرسال: ${label}` },
  notSent: { en: (label: string, error: string) => `Not done: ${label}. ${error}`, ar: (label: string, error: string) => `لم يتم: ${label}. ${error}` },
  newVersion: { en: "A newer version is here", ar: "يتوفر إصدار أحدث" },
  update: { en: "Update", ar: "تحديث" },
  missing: { en: "There is nothing at this address", ar: "لا يوجد شيء في هذا العنوان" },
  missingText: { en: "The link may be old, or not complete", ar: "ربما يكون الرابط قديمًا أو غير مكتمل" },
  home: { en: "Go to the start", ar: "العودة إلى البداية" },
  broken: { en: "This screen cannot be shown", ar: "تعذر عرض هذه الشاشة" },
  brokenText: { en: "Load it again; what you have sent is safe", ar: "أعد تحميلها، وما أرسلته محفوظ" },
  notHere: { en: "Not loaded", ar: "لم تُحمَّل الصفحة" },
  reload: { en: "Load again", ar: "إعادة التحميل" },
  markets: { en: "Where do you want to go?", ar: "إلى أين تريد الذهاب؟" },
  tabs: { en: "Main", ar: "الرئيسي" },
  unread: {
    en: (n: number) => count.en(n, { one: "# unread", other: "# unread" }),
    ar: (n: number) => count.ar(n, { one: "واحد غير مقروء", two: "اثنان غير مقروءين", few: "# غير مقروءة", many: "# غير مقروء", other: "# غير مقروء" }),
  },
  again: { en: "Please log in again", ar: "يرجى تسجيل الدخول مجددًا" },
  againText: { en: "Your session has ended. What you typed is still here", ar: "انتهت جلستك. ما كتبته ما زال هنا" },
  deleted: { en: "Your account is deleted", ar: "تم حذف حسابك" },
  deletedText: { en: "What was known of you is removed. Thank you", ar: "أُزيلت بياناتك. شكرًا لك" },
  modes: { en: "Use the app as", ar: "استخدم التطبيق بصفة" },
});
