import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Families", ar: "العائلات" },
  state: { en: "State", ar: "الحالة" },
  asked: { en: "Asked, not agreed yet", ar: "طُلبت ولم يُوافق عليها" },
  agreed: { en: "Agreed, waits for you", ar: "وافق الطرفان، بانتظارك" },
  confirmed: { en: "Approved", ar: "معتمدة" },
  from: { en: "Relative", ar: "القريب" },
  to: { en: "Of", ar: "قريب لـ" },
  scopes: { en: "May", ar: "يمكنه" },
  order: { en: "order", ar: "الطلب" },
  see: { en: "see", ar: "الاطلاع" },
  since: { en: "Asked", ar: "تاريخ الطلب" },
  none: { en: "No family waits for a decision", ar: "لا عائلة بانتظار قرار" },
  approve: { en: "Approve", ar: "اعتماد" },
  approveText: { en: (one: string, other: string) => `${one} and ${other} are relatives from then on`, ar: (one: string, other: string) => `يصبح ${one} و${other} قريبين بعد ذلك` },
  remove: { en: "Remove", ar: "إزالة" },
  removeText: { en: (one: string, other: string) => `${one} and ${other} are no relatives here any more`, ar: (one: string, other: string) => `لا يعود ${one} و${other} قريبين هنا` },
  make: { en: "Make a family", ar: "ربط قريبين" },
  accountOf: { en: "Account of the relative who orders", ar: "حساب القريب الذي يطلب" },
  accountFor: { en: "Account of whom it is for", ar: "حساب من يُطلب له" },
});
