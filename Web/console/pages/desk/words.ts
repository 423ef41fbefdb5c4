import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Desk of the day", ar: "مكتب اليوم" },
  day: { en: "Day", ar: "اليوم" },
  yesterday: { en: "The day before", ar: "اليوم السابق" },
  tomorrow: { en: "The day after", ar: "اليوم التالي" },
  today: { en: "Today", ar: "اليوم" },
  unassigned: { en: "Without a partner", ar: "بلا شريك" },
  noUnassigned: { en: "Every visit of this day has a partner", ar: "لكل زيارات هذا اليوم شريك" },
  hint: { en: "Press a to assign the visit that you are on, or drag it to a partner", ar: "اضغط a لتعيين الزيارة المحددة أو اسحبها إلى شريك" },
  moves: { en: "Another time is asked for", ar: "طُلب موعد آخر" },
  noMoves: { en: "Nobody asks for another time", ar: "لا أحد يطلب موعدًا آخر" },
  asked: { en: (time: string) => `asks for ${time}`, ar: (time: string) => `يطلب ${time}` },
  calendars: { en: "Partners", ar: "الشركاء" },
  noPartners: { en: "No care partner is verified yet", ar: "لا شريك رعاية موثق بعد" },
  free: { en: "free all day", ar: "متفرغ طوال اليوم" },
  late: { en: "soon", ar: "قريبًا" },
  preferred: { en: "a partner is preferred", ar: "يُفضَّل شريك" },
  assign: { en: "Assign", ar: "تعيين" },
  assignTo: { en: (visit: string, partner: string) => `Send ${partner} to ${visit}`, ar: (visit: string, partner: string) => `إرسال ${partner} إلى ${visit}` },
  unpaid: { en: "Ended unpaid", ar: "انتهت دون دفع" },
  order: { en: "Order for a caller", ar: "طلب لمتصل" },
});
