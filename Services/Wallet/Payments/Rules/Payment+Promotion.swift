/// Splits a discounted price between customer and platform.
///
/// The platform pays the discount as it was at the payment, at most the final cost. When the order costs less, the
/// difference goes to the customer first, up to all that he or she paid, then to the platform. Only sums and
/// differences of whole minor units are used, so nothing is rounded.
extension Payment {
    /// The platform's part of ``amount``: the discount before the final cost is known.
    var heldFromPlatform: Int { promotion?.discount ?? 0 }
    /// The customer's part of ``amount``: what is charged, or held from the wallet.
    var heldFromCustomer: Int { amount - heldFromPlatform }
    /// The platform's part of ``price``.
    var discount: Int { min(heldFromPlatform, price) }
    /// The customer's part of ``price``.
    var customerPart: Int { price - discount }
    /// The customer's held money that goes back after completion.
    var excess: Int { heldFromCustomer - customerPart }
    /// The platform's held money that goes back after completion.
    var unusedDiscount: Int { heldFromPlatform - discount }
}
