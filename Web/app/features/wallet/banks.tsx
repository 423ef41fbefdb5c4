import type { Wallet } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { Form, FormState, Submit, useForm } from "../../../shared/forms";
import { useMarket } from "../../../shared/market";
import { invalidate, useGet } from "../../../shared/resources";
import { back, to } from "../../../shared/router";
import { Button, Empty, List, Loaded, Row, Screen, Skeleton, toast, undoable } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { BankFields, bankNumber, BankValues, checkBank, emptyBank } from "./bank-fields";
import type { PartProperties } from "./index";
import { words } from "./words";

export const useBanks = () => useGet("/wallet/v1/bank-accounts", {}, ["banks"]);
/** Bank accounts whose deletion can still be undone. */
const leaving = new Set<string>();
export const nameOfBank = (bank: { bankName?: string; lastFour: string }): string => words.toAccount(isolate(bank.bankName ?? ""), isolate(bank.lastFour));

export const Banks: Component<PartProperties> = () => {
  const banks = useBanks();
  return (
    <Screen title={words.banks} back="wallet" footer={<Button icon="plus" href={to("wallet/banks/add")}>{words.addBank}</Button>}>
      <Loaded of={banks}>
        {(found) => {
          const items = found.items.filter((bank) => !leaving.has(bank.bankAccount));
          return items.length === 0 ? <Empty icon="bank" title={words.noBanks} text={words.noBanksText} /> : (
            <List>{items.map((bank) => <Row key={bank.bankAccount} icon="bank" title={nameOfBank(bank)} detail={<bdi>{bank.holder}</bdi>} href={to(`wallet/banks/${bank.bankAccount}`)} />)}</List>
          );
        }}
      </Loaded>
    </Screen>
  );
};

const BankEditor: Component<{ bank?: Wallet.BankAccount; market: string; currency: string }> = ({ bank, market, currency }) => {
  const form: FormState<BankValues> = useForm<BankValues, Wallet.BankAccount>({
    initial: bank ? { ...emptyBank(currency, bank.form), holder: bank.holder, bankName: bank.bankName } : emptyBank(currency),
    check: (values) => checkBank(values, bank !== undefined),
    send: (values, key) => {
      const names = { holder: values.holder.trim(), bankName: values.bankName.trim() };
      const number = bankNumber(values);
      const hasNumber = Object.keys(number).length > 0;
      return bank ? api.put("/wallet/v1/bank-accounts/{bankAccount}", { bankAccount: bank.bankAccount }, hasNumber ? { ...names, market, ...number } : names)
        : api.post("/wallet/v1/bank-accounts", {}, { ...names, market, ...number }, { key });
    },
    done: () => {
      invalidate("banks");
      toast(words.saved);
      back("wallet/banks");
    },
  });
  const remove = (): void => {
    const { bankAccount } = bank as Wallet.BankAccount;
    leaving.add(bankAccount);
    const restore = (): void => { leaving.delete(bankAccount); invalidate("banks"); };
    undoable(words.bankDeleted, () => api.delete("/wallet/v1/bank-accounts/{bankAccount}", { bankAccount, confirm: true }).then(() => invalidate("banks"), (error) => {
      restore();
      toast(textOf(error));
    }), restore);
    back("wallet/banks");
  };
  return (
    <Screen title={bank ? words.banks : words.addBank} back="wallet/banks" footer={<Submit form={form}>{words.saveChanges}</Submit>}>
      {bank && <p class="display">{nameOfBank(bank)}</p>}
      <Form form={form}><BankFields form={form} currency={currency} isKnown={bank !== undefined} /></Form>
      {bank && <Button kind="quiet" icon="trash" onTap={remove}>{words.deleteBank}</Button>}
    </Screen>
  );
};

const BankForm: Component<{ bank?: Wallet.BankAccount }> = ({ bank }) => {
  const { id, market } = useMarket();
  if (!market) return <Screen title={words.banks} back="wallet/banks"><Skeleton rows={4} /></Screen>;
  return <BankEditor bank={bank} market={id} currency={market.currency as string} />;
};

/** A bank account: added, changed, deleted. */
export const Bank: Component<PartProperties> = ({ id }) => {
  const banks = useBanks();
  if (id === "add") return <BankForm />;
  const bank = banks.value?.items.find((one) => one.bankAccount === id);
  if (bank) return <BankForm key={`${bank.holder} ${bank.bankName} ${bank.lastFour}`} bank={bank} />;
  return (
    <Screen title={words.banks} back="wallet/banks">
      <Loaded of={banks}>{() => <Empty icon="bank" title={words.gone}><Button href={to("wallet/banks")}>{words.banks}</Button></Empty>}</Loaded>
    </Screen>
  );
};
