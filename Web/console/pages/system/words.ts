import { catalogue, count } from "../../../shared/words";

export const words = catalogue({
  title: { en: "System", ar: "النظام" },
  intro: { en: "How each service stands, as it says itself. One that does not answer is down", ar: "حالة كل خدمة كما تقولها هي. الخدمة التي لا تجيب متوقفة" },
  again: { en: "Ask again", ar: "اسأل من جديد" },
  service: { en: "Service", ar: "الخدمة" },
  state: { en: "State", ar: "الحالة" },
  up: { en: "Running", ar: "تعمل" },
  slow: { en: "Behind", ar: "متأخرة" },
  down: { en: "Does not answer", ar: "لا تجيب" },
  asking: { en: "Asking", ar: "قيد السؤال" },
  since: { en: "Since", ar: "منذ" },
  outbox: { en: "Messages to send", ar: "رسائل بانتظار الإرسال" },
  deadlines: { en: "Overdue deadlines", ar: "مهل متأخرة" },
  dead: { en: "Dead messages", ar: "رسائل فاشلة" },
  clock: { en: "Database's clock", ar: "ساعة قاعدة البيانات" },
  migrations: { en: "Migrations", ar: "ترقيات قاعدة البيانات" },
  exact: { en: "exact", ar: "مطابقة" },
  milliseconds: {
    en: (n: number) => count.en(n, { one: "# millisecond ahead", other: "# milliseconds ahead" }),
    ar: (n: number) => count.ar(n, { zero: "# ملي ثانية تقديمًا", one: "ملي ثانية تقديمًا", two: "مليا ثانية تقديمًا", few: "# ملي ثانية تقديمًا", many: "# ملي ثانية تقديمًا", other: "# ملي ثانية تقديمًا" }),
  },
  behind: {
    en: (n: number) => count.en(n, { one: "# millisecond behind", other: "# milliseconds behind" }),
    ar: (n: number) => count.ar(n, { zero: "# ملي ثانية تأخيرًا", one: "ملي ثانية تأخيرًا", two: "مليا ثانية تأخيرًا", few: "# ملي ثانية تأخيرًا", many: "# ملي ثانية تأخيرًا", other: "# ملي ثانية تأخيرًا" }),
  },
  oldest: { en: (time: string) => `the oldest for ${time}`, ar: (time: string) => `أقدمها منذ ${time}` },
  // Services.
  identity: { en: "Identity", ar: "الهوية" },
  dispatch: { en: "Dispatch", ar: "التوزيع" },
  wallet: { en: "Wallet", ar: "المحفظة" },
  notifications: { en: "Notifications", ar: "الإشعارات" },
  admin: { en: "Admin", ar: "الإدارة" },
});
