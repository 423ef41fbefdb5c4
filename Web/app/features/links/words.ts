import { catalogue } from "../../../shared/words";

export const words = catalogue({
  lookIntoMail: { en: "Look into your mail", ar: "راجع بريدك" },
  confirmed: { en: "Your account is confirmed", ar: "تم تأكيد حسابك" },
  confirmedText: { en: "Log in to begin", ar: "سجّل الدخول للبدء" },
  logIn: { en: "Log in", ar: "تسجيل الدخول" },
  refused: { en: "This link cannot be used", ar: "لا يمكن استخدام هذا الرابط" },
  refusedText: { en: "It is used up, too old or not complete. Ask for a new one", ar: "استُخدم أو انتهت صلاحيته أو أنه غير مكتمل. اطلب رابطًا جديدًا" },
  newPassword: { en: "Choose a password", ar: "اختر كلمة مرور" },
  passwordHint: { en: "At least 10 characters, with a capital letter and two digits", ar: "10 أحرف على الأقل، فيها حرف إنجليزي كبير ورقمان" },
  password: { en: "New password", ar: "كلمة المرور الجديدة" },
  save: { en: "Save the password", ar: "حفظ كلمة المرور" },
  saved: { en: "Your new password counts", ar: "كلمة مرورك الجديدة سارية" },
  savedText: { en: "All other devices are logged out", ar: "تم تسجيل الخروج من جميع الأجهزة الأخرى" },
  contactSaved: { en: "Your new address counts", ar: "عنوانك الجديد سارٍ" },
  role: { en: "You are offered a role", ar: "عُرض عليك دور" },
  roleText: { en: "With it you use the app in another way too. The account stays the same", ar: "يتيح لك استخدام التطبيق بصفة أخرى أيضًا، والحساب نفسه" },
  accept: { en: "Accept the role", ar: "قبول الدور" },
  roleTaken: { en: "The role is yours", ar: "أصبح الدور لك" },
  go: { en: "Go on", ar: "متابعة" },
});
