import {
  ArchiveStepSchema,
  FormerGasTankSchema,
  GasTankEntryListSchema,
  GasTankEntrySchema,
  GasTankSchema,
  IdleTankSchema,
  LedgerReportListSchema,
  LedgerReportSchema,
  LedgerRewindListSchema,
  LedgerRewindSchema,
  LedgerStandingListSchema,
  LedgerStandingSchema,
  OpenHoldListSchema,
  OpenHoldSchema,
  RelayTankSchema,
  ReleasedHoldSchema,
  StrayDepositSchema,
  TankFillingSchema,
} from '../../../proto/gen/tollfree/core/v1/ledger_pb.ts';
import {
  type FormerTank,
  type GasTank,
  type GasTankEntry,
  gasTankEntryKinds,
  type RelayTank,
  type StrayDeposit,
  type TankFilling,
  tankFillers,
} from '../../domain/gas-tank.ts';
import type { ArchiveStep } from '../../domain/ledger/archive-step.ts';
import {
  type IdleTank,
  type LedgerReport,
  type LedgerStanding,
  ledgerReportStates,
} from '../../domain/ledger/ledger-report.ts';
import type { LedgerRewind } from '../../domain/ledger/ledger-rewind.ts';
import type { OpenHold, ReleasedHold } from '../../domain/ledger/open-hold.ts';
import { address } from '../codec/address.ts';
import { chainId } from '../codec/chain-id.ts';
import { count } from '../codec/count.ts';
import { decimal, signedDecimal } from '../codec/decimal.ts';
import { hex } from '../codec/hex.ts';
import { filledListOf, listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { seconds } from '../codec/seconds.ts';
import { soleField } from '../codec/sole-field.ts';

const formerTank = messageOf<FormerTank>()(FormerGasTankSchema, {
  fundingWallet: address,
  left: decimal,
  held: decimal,
});
const tankFilling = messageOf<TankFilling>()(TankFillingSchema, { to: address, data: hex, from: oneOf(tankFillers) });
const strayDeposit = messageOf<StrayDeposit>()(StrayDepositSchema, { txHash: hex, amount: decimal, sender: address });
const relayTank = messageOf<RelayTank>()(RelayTankSchema, {
  executors: listOf(address),
  funded: decimal,
  settled: decimal,
  held: decimal,
  available: decimal,
});
export const gasTank = messageOf<GasTank>()(GasTankSchema, {
  chainId,
  contract: address,
  fundingWallet: address,
  funded: decimal,
  settled: decimal,
  held: decimal,
  available: decimal,
  chainDeposit: decimal,
  daysLeft: count,
  entriesSince: seconds,
  formerTanks: filledListOf(formerTank),
  filling: tankFilling,
  strayDeposits: filledListOf(strayDeposit),
  relay: relayTank,
});

const gasTankEntry = messageOf<GasTankEntry>()(GasTankEntrySchema, {
  entryId: count,
  kind: oneOf(gasTankEntryKinds),
  amount: decimal,
  createdAt: seconds,
  txHash: hex,
  logIndex: count,
  reverses: count,
});
export const gasTankEntries = soleField(GasTankEntryListSchema, listOf(gasTankEntry));

const idleTank = messageOf<IdleTank>()(IdleTankSchema, { wallet: address, left: decimal });
const ledgerReport = messageOf<LedgerReport>()(LedgerReportSchema, {
  state: oneOf(ledgerReportStates),
  chainId,
  contract: address,
  entryPoint: address,
  chainDeposit: decimal,
  bookDeposit: signedDecimal,
  difference: signedDecimal,
  unattributedDeposits: decimal,
  treasuryDeposits: decimal,
  withdrawals: decimal,
  unexplainedCosts: decimal,
  funded: signedDecimal,
  settled: decimal,
  held: decimal,
  shortfall: decimal,
  margin: signedDecimal,
  customerBalances: decimal,
  strayDeposits: listOf(strayDeposit),
  strayDepositCount: count,
  idleTanks: listOf(idleTank),
  idleTankCount: count,
  rowsReadAt: seconds,
});
const ledgerRewind = messageOf<LedgerRewind>()(LedgerRewindSchema, { contract: address, movements: count });
export const ledgerRewinds = soleField(LedgerRewindListSchema, listOf(ledgerRewind));
export const archiveStep = messageOf<ArchiveStep>()(ArchiveStepSchema, { deleted: count });
export const ledgerReports = soleField(LedgerReportListSchema, listOf(ledgerReport));

const openHold = messageOf<OpenHold>()(OpenHoldSchema, {
  holdId: count,
  chainId,
  contract: address,
  wallet: address,
  sender: address,
  nonce: decimal,
  amount: decimal,
  createdAt: seconds,
  validUntil: seconds,
});
export const openHolds = soleField(OpenHoldListSchema, listOf(openHold));
export const releasedHold = messageOf<ReleasedHold>()(ReleasedHoldSchema, {
  holdId: count,
  sender: address,
  nonce: decimal,
  amount: decimal,
});

const ledgerStanding = messageOf<LedgerStanding>()(LedgerStandingSchema, {
  state: oneOf(ledgerReportStates),
  chainId,
  contract: address,
  entryPoint: address,
  chainDeposit: decimal,
  bookDeposit: signedDecimal,
  difference: signedDecimal,
  held: decimal,
});
export const ledgerStandings = soleField(LedgerStandingListSchema, listOf(ledgerStanding));
