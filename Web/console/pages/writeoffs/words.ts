import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Write-offs", ar: "الديون المشطوبة" },
  intro: { en: "What the platform has paid in a debtor's place. A debt is written off on the debtor's page", ar: "ما دفعته المنصة بدلًا من المدين. يُشطب الدين من صفحة المدين" },
  account: { en: "Account", ar: "الحساب" },
  amount: { en: "Amount", ar: "المبلغ" },
  reason: { en: "Reason", ar: "السبب" },
  by: { en: "By", ar: "بواسطة" },
  approvedBy: { en: "Approved by", ar: "وافق عليه" },
  at: { en: "When", ar: "متى" },
  none: { en: "Nothing was written off in these days", ar: "لم يُشطب شيء في هذه الأيام" },
});
