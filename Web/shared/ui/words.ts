import { catalogue, count } from "../words";

export const words = catalogue({
  back: { en: "Back", ar: "رجوع" },
  close: { en: "Close", ar: "إغلاق" },
  cancel: { en: "Cancel", ar: "إلغاء" },
  retry: { en: "Try again", ar: "إعادة المحاولة" },
  undo: { en: "Undo", ar: "تراجع" },
  loading: { en: "Loading", ar: "جارٍ التحميل" },
  sending: { en: "Sending", ar: "جارٍ الإرسال" },
  optional: { en: "optional", ar: "اختياري" },
  showPassword: { en: "Show password", ar: "إظهار كلمة المرور" },
  hidePassword: { en: "Hide password", ar: "إخفاء كلمة المرور" },
  faults: {
    en: (n: number) => count.en(n, { one: "# thing is missing or wrong", other: "# things are missing or wrong" }),
    ar: (n: number) => count.ar(n, {
      one: "هناك أمر ناقص أو غير صحيح", two: "هناك أمران ناقصان أو غير صحيحين", few: "هناك # أمور ناقصة أو غير صحيحة",
      many: "هناك # أمرًا ناقصًا أو غير صحيح", other: "هناك # أمر ناقص أو غير صحيح",
    }),
  },
  needed: { en: "Please fill this in", ar: "يرجى ملء هذا الحقل" },
  keptOffline: {
    en: "You are offline. What you typed is kept; send it when you are connected",
    ar: "لا يوجد اتصال. ما كتبته محفوظ، أرسله عند عودة الاتصال",
  },
  stars: {
    en: (n: number) => count.en(n, { one: "# star", other: "# stars" }),
    ar: (n: number) => count.ar(n, { one: "نجمة واحدة", two: "نجمتان", few: "# نجوم", many: "# نجمة", other: "# نجمة" }),
  },
  ratedBy: { en: (average: string, n: number) => `Rated ${average} of 5 by ${n}`, ar: (average: string, n: number) => `التقييم ${average} من 5، وعدد المقيّمين ${n}` },
  secondsLeft: {
    en: (n: number) => count.en(n, { one: "# second left", other: "# seconds left" }),
    ar: (n: number) => count.ar(n, {
      one: "بقيت ثانية واحدة", two: "بقيت ثانيتان", few: "بقيت # ثوانٍ", many: "بقيت # ثانية", other: "بقيت # ثانية",
    }),
  },
  lastSeen: { en: (when: string) => `As of ${when}`, ar: (when: string) => `آخر تحديث ${when}` },
  choosePhoto: { en: "Take or choose a photo", ar: "التقاط صورة أو اختيارها" },
  changePhoto: { en: "Choose another", ar: "اختيار غيرها" },
  step: { en: (at: number, of: number) => `Step ${at} of ${of}`, ar: (at: number, of: number) => `الخطوة ${at} من ${of}` },
});
