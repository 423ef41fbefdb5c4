import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Debts", ar: "الديون" },
  intro: { en: "Accounts that owe something for which somebody else waits, the longest waiting first", ar: "حسابات عليها دين ينتظره غيرها، والأطول انتظارًا أولًا" },
  account: { en: "Account", ar: "الحساب" },
  waiting: { en: "Waited for", ar: "المنتظر" },
  receivers: { en: "By how many", ar: "عدد المنتظرين" },
  since: { en: "Since", ar: "منذ" },
  none: { en: "Nobody waits for a debt", ar: "لا أحد ينتظر دينًا" },
  owed: { en: "Owed", ar: "الدين" },
  canBe: { en: "Can be written off", ar: "ما يمكن شطبه" },
  writeOff: { en: "Write off", ar: "شطب" },
  writeOffText: { en: "The platform pays whoever waits, and the account owes that much less. Above the market's amount a second admin has to approve", ar: "تدفع المنصة لمن ينتظر ويقل الدين بقدره. وفوق حد السوق يلزم أن يوافق مشرف ثانٍ" },
  amount: { en: "Amount", ar: "المبلغ" },
});
