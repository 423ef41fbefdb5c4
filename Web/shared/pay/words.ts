import { catalogue } from "../words";

export const words = catalogue({
  number: { en: "Card number", ar: "رقم البطاقة" },
  expiry: { en: "Expires", ar: "تاريخ الانتهاء" },
  expiryHint: { en: "Month and year, as on the card: 05/29", ar: "الشهر والسنة كما على البطاقة: 05/29" },
  cvv: { en: "Security code (CVV)", ar: "رمز الأمان (CVV)" },
  cvvHint: { en: "The three digits on the back; four on the front of some cards", ar: "الأرقام الثلاثة خلف البطاقة، أو الأربعة على وجهها في بعض البطاقات" },
  cvvAgain: { en: "The security code is asked for each time and never stored", ar: "نطلب رمز الأمان في كل مرة ولا نحفظه أبدًا" },
  holder: { en: "Name on the card", ar: "الاسم على البطاقة" },
  badNumber: { en: "This card number is not complete, or has a typing error", ar: "رقم البطاقة غير مكتمل أو فيه خطأ" },
  badExpiry: { en: "Write the month and the year, such as 05/29", ar: "اكتب الشهر والسنة، مثل 05/29" },
  expired: { en: "This card has expired. Use another one", ar: "انتهت صلاحية هذه البطاقة. استخدم بطاقة أخرى" },
  noCards: { en: "Cards cannot be taken here now", ar: "لا يمكن قبول البطاقات هنا الآن" },
  cardRefused: { en: "The payment provider does not accept this card. Nothing was charged", ar: "مزود خدمة الدفع لا يقبل هذه البطاقة. لم يُخصم أي مبلغ" },
  badCVV: { en: "Three or four digits", ar: "ثلاثة أرقام أو أربعة" },
  savedForNext: {
    en: "The card is kept for next time. You can delete it in your wallet",
    ar: "تُحفظ البطاقة للمرة القادمة، ويمكنك حذفها من محفظتك",
  },

  how: { en: "How do you want to pay?", ar: "كيف تريد أن تدفع؟" },
  chooseWay: { en: "Choose how to pay", ar: "اختر طريقة الدفع" },
  newCard: { en: "Another card", ar: "بطاقة أخرى" },
  firstCard: { en: "Card", ar: "بطاقة" },
  expires: { en: (when: string) => `Expires ${when}`, ar: (when: string) => `تنتهي في ${when}` },
  hasExpired: { en: "Expired", ar: "منتهية" },
  wallet: { en: "Wallet", ar: "المحفظة" },
  available: { en: (amount: string) => `${amount} available`, ar: (amount: string) => `المتاح ${amount}` },
  tooLittle: { en: (amount: string) => `${amount} available, not enough`, ar: (amount: string) => `المتاح ${amount}، لا يكفي` },
  frozen: { en: "Frozen now", ar: "مجمدة حاليًا" },
  cash: { en: "Cash", ar: "نقدًا" },
  cashDetail: { en: "You pay by hand when it is done", ar: "تدفع باليد بعد إنجاز الخدمة" },
  applePay: { en: "Apple Pay", ar: "Apple Pay" },
  googlePay: { en: "Google Pay", ar: "Google Pay" },
  payPal: { en: "PayPal", ar: "PayPal" },
  payPalDetail: { en: "You are taken to PayPal and back", ar: "ننقلك إلى PayPal ثم تعود إلى هنا" },
  ending: { en: (brand: string, digits: string) => `${brand} ending in ${digits}`, ar: (brand: string, digits: string) => `${brand} المنتهية بـ ${digits}` },
  phoneStopped: { en: "The payment was closed before it was made. Try again, or choose another way", ar: "أُغلقت نافذة الدفع قبل إتمامه. أعد المحاولة أو اختر طريقة أخرى" },

  // While the bank is asked.
  asking: { en: "Asking your bank", ar: "جارٍ التواصل مع البنك" },
  confirm: { en: "Confirm it at your bank", ar: "أكّد الدفع لدى بنكك" },
  confirmText: { en: "Your bank wants to know that it is you. You are taken to its page and back", ar: "يريد البنك التأكد من هويتك. ننقلك إلى صفحته ثم تعود إلى هنا" },
  confirmPayPal: { en: "Confirm it at PayPal", ar: "أكّد الدفع لدى PayPal" },
  confirmPayPalText: { en: "You are taken to PayPal's page and back", ar: "ننقلك إلى صفحة PayPal ثم تعود إلى هنا" },
  goThere: { en: "Go to the page", ar: "الانتقال إلى الصفحة" },
  otherWay: { en: "Pay in another way", ar: "الدفع بطريقة أخرى" },
  askingText: { en: "This takes some seconds", ar: "يستغرق ذلك ثوانيَ معدودة" },

  // Why money could not be taken or paid out: the words of the API's reasons.
  "card-declined": { en: "The bank declined the card. Try another one, or ask your bank", ar: "رفض البنك البطاقة. جرّب بطاقة أخرى أو راجع بنكك" },
  "insufficient-funds": { en: "There was not enough money. Try another way to pay", ar: "الرصيد غير كافٍ. جرّب طريقة دفع أخرى" },
  "card-expired": { en: "The card has expired. Use another one", ar: "انتهت صلاحية البطاقة. استخدم بطاقة أخرى" },
  "provider-down": { en: "Payments by card do not work at the moment. Nothing was taken. Try again in some minutes", ar: "الدفع بالبطاقة متعذر حاليًا ولم يُخصم شيء. أعد المحاولة بعد دقائق" },
  "authentication-failed": { en: "You did not confirm it at your bank, or the bank did not accept it. Nothing was taken", ar: "لم يتم التأكيد لدى البنك أو لم يقبله البنك. لم يُخصم شيء" },
  "authentication-required": { en: "The bank wants you to confirm it yourself. Pay again and follow its page", ar: "يطلب البنك تأكيدك بنفسك. أعد الدفع واتبع صفحة البنك" },
  abandoned: { en: "You chose not to go on. Nothing was taken", ar: "اخترت عدم المتابعة. لم يُخصم شيء" },
  "given-back": { en: "The payment was given back", ar: "أُعيد المبلغ" },
  "method-not-allowed": { en: "This way to pay is not possible here any more", ar: "لم تعد طريقة الدفع هذه متاحة هنا" },
  "account-blocked": { en: "A fine is unpaid. Fill your wallet first", ar: "هناك غرامة لم تُدفع. اشحن محفظتك أولًا" },
  "promo-code-lost": { en: "The promo code gives less now than was promised. Nothing was taken", ar: "أصبح الرمز الترويجي يمنح خصمًا أقل مما وُعدت به. لم يُخصم شيء" },
  "authorisation-lost": { en: "The held money was released by the bank", ar: "حرّر البنك المبلغ المحجوز" },
  "order-cancelled": { en: "The order was cancelled", ar: "أُلغي الطلب" },
  "order-refused": { en: "The order was refused", ar: "رُفض الطلب" },
  "order-expired": { en: "The order's time was over", ar: "انتهت مهلة الطلب" },
  "order-disputed": { en: "The order is under review", ar: "الطلب قيد المراجعة" },
  "order-reassigned": { en: "Somebody else does the order", ar: "أُسند الطلب إلى شخص آخر" },
  "order-cost-nothing": { en: "The order cost nothing in the end", ar: "لم يكلف الطلب شيئًا في النهاية" },
  "cash-for-nobody": { en: "Nobody was paid in cash", ar: "لم يُدفع نقد لأحد" },
  "deposit-returned": { en: "The deposit was given back", ar: "أُعيد التأمين" },
  "hold-released": { en: "The held money was given back", ar: "أُعيد المبلغ المحجوز" },
  "hold-expired": { en: "The held money was given back when its time was over", ar: "أُعيد المبلغ المحجوز بانتهاء مدته" },
  reversed: { en: "It was taken back", ar: "أُلغيت العملية" },
  "account-closed": { en: "The bank account is closed. The money is in your wallet again", ar: "الحساب البنكي مغلق. عاد المبلغ إلى محفظتك" },
  "payout-refused": { en: "The bank refused the payment. The money is in your wallet again", ar: "رفض البنك التحويل. عاد المبلغ إلى محفظتك" },
});

/** The words of a reason of the API; words that an admin wrote stay as they are. */
export function reasonText(reason: string): string {
  const known = words as unknown as Record<string, string>;
  return reason.includes("-") || reason === "abandoned" || reason === "reversed" ? known[reason] ?? reason : reason;
}
