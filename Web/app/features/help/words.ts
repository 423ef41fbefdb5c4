import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Contact us", ar: "تواصل معنا" },
  subject: { en: "Title", ar: "العنوان" },
  content: { en: "What do you want to ask or tell us?", ar: "ماذا تود أن تسألنا أو تخبرنا؟" },
  photo: { en: "Add a photo", ar: "إرفاق صورة" },
  send: { en: "Send", ar: "إرسال" },
  sent: { en: "It is with our admins", ar: "وصل استفسارك إلى مشرفينا" },
  photoLost: { en: "The photo was not sent. Send it again here", ar: "لم تُرسل الصورة. أعد إرسالها هنا" },
  history: { en: "History", ar: "السجل" },
  responded: { en: "Responded", ar: "تم الرد" },
  waits: { en: "No response yet", ar: "لا رد بعد" },
  waitsText: { en: "We answer as soon as we can", ar: "نرد عليك في أقرب وقت" },
  none: { en: "You have not asked anything yet", ar: "لم ترسل أي استفسار بعد" },
  read: { en: "To read", ar: "للقراءة" },
  faq: { en: "Questions and answers", ar: "الأسئلة الشائعة" },
  about: { en: "About us", ar: "من نحن" },
  privacy: { en: "Privacy policy", ar: "سياسة الخصوصية" },
  terms: { en: "Terms and conditions", ar: "الشروط والأحكام" },
});
