import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Admins", ar: "المشرفون" },
  intro: { en: "Admins of a market see and do everything in it. Master admins do it in all markets, and make admins", ar: "مشرفو السوق يرون كل شيء فيه ويتصرفون. والمشرفون العامون يفعلون ذلك في كل الأسواق ويعيّنون المشرفين" },
  of: { en: "Of", ar: "لـ" },
  here: { en: "This market", ar: "هذا السوق" },
  all: { en: "All markets", ar: "جميع الأسواق" },
  name: { en: "Name", ar: "الاسم" },
  account: { en: "Account", ar: "الحساب" },
  since: { en: "Since", ar: "منذ" },
  none: { en: "No admin of its own", ar: "لا مشرف خاص به" },
  make: { en: "Make an admin", ar: "تعيين مشرف" },
  makeText: { en: "The account gets the rights at its next log-in, once it has a second factor", ar: "يحصل الحساب على الصلاحيات عند دخوله التالي بعد إعداد العامل الثاني" },
  accountHint: { en: "The account's number, from the person's page", ar: "رقم الحساب من صفحة الشخص" },
  take: { en: "Take the rights", ar: "سحب الصلاحيات" },
  takeText: { en: (name: string) => `${name} is no admin any more, and is logged out at once`, ar: (name: string) => `لا يعود ${name} مشرفًا ويُسجل خروجه فورًا` },
});
