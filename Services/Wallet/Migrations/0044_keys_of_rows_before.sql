-- Outside a transaction: the tables may be large, and nobody waits while their rows are compared.
ALTER TABLE holds VALIDATE CONSTRAINT holds_whole;
ALTER TABLE payments VALIDATE CONSTRAINT payments_charge_fkey;
ALTER TABLE payments VALIDATE CONSTRAINT payments_promo_use_fkey;
ALTER TABLE payments VALIDATE CONSTRAINT payments_promo_code_fkey;
ALTER TABLE promo_uses VALIDATE CONSTRAINT promo_uses_order_id_fkey;
ALTER TABLE disputes VALIDATE CONSTRAINT disputes_charge_fkey;
ALTER TABLE disputes VALIDATE CONSTRAINT disputes_order_id_fkey;
ALTER TABLE refunds VALIDATE CONSTRAINT refunds_order_id_fkey;
ALTER TABLE tips VALIDATE CONSTRAINT tips_order_id_fkey;
ALTER TABLE desk_cash VALIDATE CONSTRAINT desk_cash_order_id_fkey;
ALTER TABLE unattended_payments VALIDATE CONSTRAINT unattended_payments_order_id_fkey;
