/// Who pays what of a price that a promo code makes cheaper for its customer.
///
/// The platform pays the discount as it was when the customer paid, but never more than the order costs in the end. So what
/// an order costs less is given to its customer first, up to all that he or she has paid, and what is left of it to the
/// platform. All of it is sums and differences of whole minor units: nothing is rounded here.
extension Payment {
    /// What of ``amount`` the platform pays as long as nobody knows that the order costs less.
    var heldFromPlatform: Int { promotion?.discount ?? 0 }
    /// What of ``amount`` the customer pays, or has paid: what is charged, or held from the wallet.
    var heldFromCustomer: Int { amount - heldFromPlatform }
    /// What of ``price`` the platform pays.
    var discount: Int { min(heldFromPlatform, price) }
    /// What of ``price`` the customer pays.
    var customerPart: Int { price - discount }
    /// What of the customer's money is held and goes back although the order is done.
    var excess: Int { heldFromCustomer - customerPart }
    /// The same of the platform's.
    var unusedDiscount: Int { heldFromPlatform - discount }
}
