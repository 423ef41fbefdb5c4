import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Bank disputes", ar: "الاعتراضات البنكية" },
  dispute: { en: "Dispute", ar: "الاعتراض" },
  kind: { en: "Kind", ar: "النوع" },
  isDispute: { en: "Disputed at the bank", ar: "اعتراض لدى البنك" },
  isRefund: { en: "Given back by the bank", ar: "أعاده البنك" },
  state: { en: "State", ar: "الحالة" },
  inquiry: { en: "The bank asks", ar: "استفسار من البنك" },
  open: { en: "Open", ar: "مفتوح" },
  won: { en: "Won", ar: "كُسب" },
  lost: { en: "Lost", ar: "خُسر" },
  dismissed: { en: "Dropped", ar: "أُسقط" },
  made: { en: "Made", ar: "تم" },
  freezes: { en: "Wallet", ar: "المحفظة" },
  frozen: { en: "Frozen", ar: "مجمدة" },
  notFrozen: { en: "Not frozen", ar: "غير مجمدة" },
  account: { en: "Account", ar: "الحساب" },
  order: { en: "Order", ar: "الطلب" },
  amount: { en: "Charged", ar: "المبلغ المحصّل" },
  debited: { en: "Taken back", ar: "ما سُحب" },
  reason: { en: "The bank's reason", ar: "سبب البنك" },
  at: { en: "When", ar: "متى" },
  none: { en: "No charge was disputed", ar: "لا اعتراض على أي تحصيل" },
  unfreeze: { en: "Unfreeze the wallet", ar: "إلغاء تجميد المحفظة" },
  unfreezeText: { en: "The account can pay and cash out again. What was taken stays taken", ar: "يمكن للحساب الدفع والسحب من جديد. وما سُحب يبقى مسحوبًا" },
});
export const states = (): Record<string, string> => ({ inquiry: words.inquiry, open: words.open, won: words.won, lost: words.lost, dismissed: words.dismissed, made: words.made });
