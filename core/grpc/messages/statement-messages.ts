import {
  GasTankDayListSchema,
  GasTankDaySchema,
  GasTankStatementSchema,
  MoneySumSchema,
  SpentElsewhereSchema,
  TankStatementSchema,
  UpstreamSumSchema,
} from '../../../proto/gen/tollfree/core/v1/statement_pb.ts';
import type {
  GasTankDay,
  GasTankStatement,
  MoneySum,
  TankStatement,
  UpstreamSum,
} from '../../domain/ledger/tank-statement.ts';
import { address } from '../codec/address.ts';
import { chainId } from '../codec/chain-id.ts';
import { count } from '../codec/count.ts';
import { decimal, signedDecimal } from '../codec/decimal.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { required } from '../codec/presence.ts';
import { soleField } from '../codec/sole-field.ts';

const moneySum = required(
  messageOf<MoneySum>()(MoneySumSchema, { wei: signedDecimal, usdMicros: signedDecimal, unpriced: count }),
);
const elsewhere = messageOf<TankStatement['elsewhere']>()(SpentElsewhereSchema, {
  wei: signedDecimal,
  operations: count,
});
const tankStatement = messageOf<TankStatement>()(TankStatementSchema, {
  fundingWallet: address,
  opening: signedDecimal,
  closing: signedDecimal,
  deposited: moneySum,
  withdrawn: moneySum,
  credited: moneySum,
  debited: moneySum,
  spent: moneySum,
  premium: moneySum,
  usersPaid: signedDecimal,
  operations: count,
  elsewhere: required(elsewhere),
});
export const gasTankStatement = messageOf<GasTankStatement>()(GasTankStatementSchema, {
  chainId,
  contract: address,
  tanks: listOf(tankStatement),
  upstream: messageOf<UpstreamSum>()(UpstreamSumSchema, { operations: count, worstCaseUsdMicros: decimal }),
});

const gasTankDay = messageOf<GasTankDay>()(GasTankDaySchema, { balance: signedDecimal, spent: decimal });
export const gasTankDays = soleField(GasTankDayListSchema, listOf(gasTankDay));
