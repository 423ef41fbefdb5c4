import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Removals", ar: "إزالة الحسابات" },
  intro: { en: "Accounts that nobody has used for eighteen months, and those whose removal a relative asks for", ar: "حسابات لم تُستخدم منذ ثمانية عشر شهرًا، وحسابات يطلب قريب إزالتها" },
  name: { en: "Account", ar: "الحساب" },
  cause: { en: "Why", ar: "السبب" },
  inactive: { en: "Not used", ar: "غير مستخدم" },
  relative: { en: "A relative asks", ar: "طلب قريب" },
  reason: { en: "In the relative's words", ar: "بكلمات القريب" },
  last: { en: "Last used", ar: "آخر استخدام" },
  since: { en: "Asked", ar: "تاريخ الطلب" },
  none: { en: "No account is to be removed", ar: "لا حساب مطلوب إزالته" },
  remove: { en: "Remove", ar: "إزالة" },
  removeText: { en: (name: string) => `The account of ${name} is deleted. This cannot be undone`, ar: (name: string) => `يُحذف حساب ${name} ولا يمكن التراجع` },
  keep: { en: "Keep", ar: "إبقاء" },
  keepText: { en: (name: string) => `The account of ${name} stays as it is`, ar: (name: string) => `يبقى حساب ${name} كما هو` },
});
