/// The terms of the markets that have some (X8), in the words that people agree to. A change of the words needs another
/// version: people who accepted the earlier one are asked again.
extension Market.Onboarding.Terms {
    /// Sender and carrier make a contract with each other; the platform holds money and words.
    public static let carrepsa = Self(
        version: "2026-12",
        text: [
            "en": """
            1. The sender and the carrier make the contract of carriage with each other. Carrepsa shows requests, holds the \
            payment and the deposit, and decides reports; it carries nothing itself.
            2. These things must not be sent or carried: weapons, ammunition and explosives; drugs; other dangerous goods such as \
            gas, fuel and acids; cash, securities and identity papers; living animals; food that spoils on the way; stolen or \
            forged goods; and everything that the law forbids to possess or to carry.
            3. The sender says truthfully what the parcel is, how heavy and how fragile it is, and packs it for the way. The \
            carrier may look at it at the pick-up, may refuse what differs from the request, and does not open it without the \
            sender.
            4. From the pick-up to the delivery the carrier is liable for loss and damage, at most up to the deposit that the sender \
            has asked for, which is held for it. The sender is liable for harm that comes from a wrong description, from poor \
            packing or from a forbidden thing.
            5. The payment is released when the delivery is confirmed, or when it was not disputed in time. Carrepsa takes no \
            commission. A parcel that is delivered after the promised time is paid less, by the rule that both read before they \
            posted or took it. A sender who asks for a carrier with a minimum rating pays Carrepsa the fee that is shown \
            before, beside the payment.
            6. Whoever reports a parcel tells the truth; an admin hears both sides, and the decision about payment and deposit \
            binds both on the platform. The way to the courts stays open.
            7. Whoever breaks these terms may be banned.
            """,
            "ar": """
            1. يُبرم عقد النقل بين المرسل والناقل. تعرض كاريبسا الطلبات وتحتفظ بالمبلغ والتأمين وتبتّ في البلاغات، ولا تنقل شيئًا بنفسها.
            2. لا يجوز إرسال أو نقل ما يلي: الأسلحة والذخائر والمتفجرات؛ المخدرات؛ المواد الخطرة الأخرى كالغاز والوقود والأحماض؛ النقود \
            والأوراق المالية ووثائق الهوية؛ الحيوانات الحية؛ الأطعمة التي تفسد في الطريق؛ البضائع المسروقة أو المقلّدة؛ وكل ما يمنع القانون \
            حيازته أو نقله.
            3. يصف المرسل الطرد ووزنه وقابليته للكسر بصدق ويغلّفه بما يناسب الطريق. للناقل أن يعاينه عند الاستلام وأن يرفض ما يخالف الطلب، \
            ولا يفتحه دون حضور المرسل.
            4. يتحمل الناقل من الاستلام حتى التسليم مسؤولية الفقد والتلف، بما لا يتجاوز التأمين الذي طلبه المرسل والمحتجز لذلك. \
            ويتحمل المرسل الضرر الناتج عن وصف خاطئ أو تغليف سيئ أو شيء ممنوع.
            5. يُدفع المبلغ عند تأكيد التسليم، أو إذا لم يُعترض عليه في الوقت المحدد. لا تأخذ كاريبسا عمولة. الطرد الذي يُسلَّم بعد الوقت \
            الموعود يُدفع عنه أقل، وفق القاعدة التي يقرؤها الطرفان قبل نشر الطلب أو أخذه. والمرسل الذي يطلب ناقلًا بتقييم أدنى محدد يدفع \
            لكاريبسا الرسوم التي تظهر له قبل ذلك، إلى جانب المبلغ.
            6. على من يقدّم بلاغًا أن يقول الحقيقة. يستمع المسؤول إلى الطرفين، وقراره بشأن المبلغ والتأمين ملزم لهما في المنصة، ويبقى \
            اللجوء إلى القضاء متاحًا.
            7. يجوز حظر من يخالف هذه الشروط.
            """,
        ])

    /// Riders, drivers, couriers, restaurants and renters of bikes.
    public static let btnc = Self(
        version: "2026-01",
        text: [
            "en": """
            1. Rides and deliveries are made by independent drivers and restaurants. BTNC finds them, sets the tariffs and \
            handles the payments.
            2. Riders are at least 13 years old; under 16 they travel with the adult whom they have named. Drivers are at least \
            20 years old and have held their licence for four years or longer.
            3. Drivers and restaurants keep their papers valid and tell BTNC of every change. Drivers do not drive after alcohol \
            or drugs, and restaurants name allergens when they are asked.
            4. The price is agreed before the order. A late cancellation costs the fee that is shown before it.
            5. Whoever hires a bike returns it to a rack in the agreed time, and pays for the time of use and for damage through \
            misuse.
            6. Whoever treats others with violence, threats or contempt may be banned.
            """,
            "ar": """
            1. يقدّم الرحلات والتوصيل سائقون ومطاعم مستقلون. تجدهم BTNC وتحدد الأسعار وتدير المدفوعات.
            2. لا يقل عمر الراكب عن 13 عامًا، ومن هم دون 16 عامًا يسافرون مع البالغ الذي ذكروه. لا يقل عمر السائق عن 20 عامًا وقد مضى على \
            رخصته أربع سنوات على الأقل.
            3. يحافظ السائقون والمطاعم على سريان أوراقهم ويبلغون BTNC بكل تغيير. لا يقود السائق بعد تناول الكحول أو المخدرات، وتذكر المطاعم \
            مسببات الحساسية عند السؤال.
            4. يُتفق على السعر قبل الطلب. الإلغاء المتأخر يكلّف الرسوم التي تظهر قبله.
            5. من يستأجر دراجة يعيدها إلى موقف في الوقت المتفق عليه، ويدفع عن مدة الاستخدام وعن الضرر الناتج عن سوء الاستخدام.
            6. يجوز حظر من يعامل الآخرين بعنف أو تهديد أو ازدراء.
            """,
        ])

    /// People who order visits, and those who come.
    public static let assef = Self(
        version: "2026-11",
        text: [
            "en": """
            1. A visit is a contract between the customer and the provider: a nurse, a physiotherapist, a doctor or a specialist. \
            Assef shows who is available, keeps the payment until the visit has ended, and decides reports; it treats nobody \
            itself. It is no emergency service: in an emergency call 997.
            2. Providers hold the licence of their profession, come themselves, and are liable for their work and for the harm \
            that it does. Customers are liable for what happens to a provider through their fault.
            3. The price is the one that was shown when the visit was ordered. It is paid when the provider has accepted, and goes \
            to the provider, less the commission of Assef, when both have said that the visit is done, or did not dispute it in \
            time.
            4. Until the provider is on the way, cancelling costs nothing. After that a fine is owed for each kilometre of the \
            way; the amount is shown before. Whoever does not pay a fine in the stated time is blocked until it is paid.
            5. Providers pay a subscription: without one no customer sees them. What is paid for a period is not given back when \
            it is not used.
            6. Assef keeps no medical records. Please write nothing about illnesses, medicines or treatments into descriptions, \
            comments and reports.
            7. Whoever reports a visit tells the truth; an admin hears both sides, and the decision about the money binds both on \
            the platform. The way to the courts stays open.
            8. Whoever breaks these terms may be banned.
            """,
            "ar": """
            1. الزيارة عقد بين العميل ومقدم الخدمة: ممرض أو أخصائي علاج طبيعي أو طبيب أو أخصائي. يعرض أسعف المتاحين ويحتفظ بالمبلغ حتى \
            نهاية الزيارة ويبتّ في البلاغات، ولا يعالج أحدًا بنفسه. وهو ليس خدمة طوارئ: في حالات الطوارئ اتصل على 997.
            2. يحمل مقدم الخدمة ترخيص مهنته ويحضر بنفسه، وهو مسؤول عن عمله وعن الضرر الناتج عنه. والعميل مسؤول عما يصيب مقدم الخدمة بسببه.
            3. السعر هو المعروض عند طلب الزيارة. يُدفع بعد قبول مقدم الخدمة، ويصل إليه بعد خصم عمولة أسعف عندما يؤكد الطرفان انتهاء \
            الزيارة أو لا يُعترض عليها في الوقت المحدد.
            4. الإلغاء مجاني ما دام مقدم الخدمة لم ينطلق. بعد ذلك تُستحق غرامة عن كل كيلومتر من الطريق ويظهر مبلغها قبل الإلغاء. ومن لا \
            يدفع الغرامة في المدة المذكورة يُوقف حسابه حتى يدفعها.
            5. يدفع مقدم الخدمة اشتراكًا، ومن دونه لا يراه أي عميل. ولا يُعاد ما دُفع عن مدة لم تُستخدم.
            6. لا يحتفظ أسعف بأي سجلات طبية. يرجى عدم كتابة أي شيء عن الأمراض أو الأدوية أو العلاجات في الأوصاف والتعليقات والبلاغات.
            7. على من يقدّم بلاغًا أن يقول الحقيقة. يستمع المسؤول إلى الطرفين، وقراره بشأن المبلغ ملزم لهما في المنصة، ويبقى اللجوء إلى \
            القضاء متاحًا.
            8. يجوز حظر من يخالف هذه الشروط.
            """,
        ])

    /// Clients and care partners.
    public static let edencare = Self(
        version: "2026-11",
        text: [
            "en": """
            1. Eden Care sends care partners, whom it employs, to homes in Regina, and is liable for what they do there. Their \
            work is help in daily life; it is no medical treatment. In an emergency call 911.
            2. Eden Care keeps no medical data. Please write nothing about illnesses, medicines or treatments into any field, and \
            tell care partners in person what they must know.
            3. The prices are those that are shown when a visit is ordered. A visit is paid before it is confirmed; a card is \
            charged in its owner's absence only if its owner has agreed to that.
            4. What it costs to cancel a visit, if anything, is shown before it is cancelled. When Eden Care cannot send anybody, \
            the whole price goes back.
            5. Relatives may order for one another when both have agreed and Eden Care has approved it; each of them may end this \
            at any time.
            6. Clients give care partners a safe place to work, and nobody gives or takes presents of value. Clients and care \
            partners do not arrange visits past Eden Care.
            7. An account that nobody has used for 18 months is removed after a notice.
            8. Whoever treats others with violence, threats or contempt may be banned.
            """,
            "ar": """
            1. ترسل إيدن كير شركاء رعاية يعملون لديها إلى المنازل في ريجاينا، وهي مسؤولة عما يفعلونه هناك. عملهم مساعدة في الحياة اليومية \
            وليس علاجًا طبيًا. في حالات الطوارئ اتصل على 911.
            2. لا تحتفظ إيدن كير ببيانات طبية. يرجى عدم كتابة أي شيء عن الأمراض أو الأدوية أو العلاجات في أي حقل، وإخبار شركاء الرعاية شخصيًا \
            بما يجب أن يعرفوه.
            3. الأسعار هي المعروضة عند طلب الزيارة. تُدفع الزيارة قبل تأكيدها، ولا تُحصّل من بطاقة في غياب صاحبها إلا بموافقته على ذلك.
            4. تظهر تكلفة إلغاء الزيارة، إن وُجدت، قبل الإلغاء. وإذا لم تستطع إيدن كير إرسال أحد يُعاد المبلغ كاملًا.
            5. يجوز للأقارب أن يطلب بعضهم لبعض بعد موافقة الطرفين واعتماد إيدن كير، ولكل منهم أن ينهي ذلك في أي وقت.
            6. يوفّر العميل لشريك الرعاية مكان عمل آمنًا، ولا تُقدَّم هدايا ثمينة ولا تُقبل. ولا يتفق العملاء وشركاء الرعاية على زيارات خارج \
            إيدن كير.
            7. يُحذف الحساب الذي لم يُستخدم 18 شهرًا بعد إشعار صاحبه.
            8. يجوز حظر من يعامل الآخرين بعنف أو تهديد أو ازدراء.
            """,
        ])

    /// Pilgrims who have an account, for friends and shared places.
    public static let hajji = Self(
        version: "2026-11",
        text: [
            "en": """
            1. Hajji helps pilgrims to find their way and their friends. What it shows is information; follow the instructions of \
            the authorities first. In an emergency call 911.
            2. Your place is shown to your friends only, and only while you have made it visible. You can hide it at any time.
            3. Add only people who know you, and do not use their number or their place for anything else.
            4. Whoever harasses others may be banned.
            """,
            "ar": """
            1. يساعد حاجّي الحجاج على معرفة طريقهم والوصول إلى أصدقائهم. ما يعرضه معلومات فقط، واتبع تعليمات الجهات الرسمية أولًا. في حالات \
            الطوارئ اتصل على 911.
            2. لا يظهر موقعك إلا لأصدقائك وما دمت قد جعلته مرئيًا، ويمكنك إخفاؤه في أي وقت.
            3. أضف من يعرفك فقط، ولا تستخدم رقمه أو موقعه لأي غرض آخر.
            4. يجوز حظر من يضايق الآخرين.
            """,
        ])
}
