import {
  AdjustTankRequestSchema,
  CheckLedgerRequestSchema,
  FormerGasTankSchema,
  GasTankEntryListSchema,
  GasTankEntrySchema,
  GasTankSchema,
  LedgerReportListSchema,
  LedgerReportSchema,
  ListGasTankEntriesRequestSchema,
  ReadGasTankRequestSchema,
} from '../../../proto/gen/tollfree/core/v1/ledger_pb.ts';
import type { FormerTank, GasTank, GasTankEntry } from '../../domain/gas-tank.ts';
import type { LedgerReport } from '../../domain/ledger-report.ts';
import type { Input } from '../operation-types.ts';
import { converter } from './converter.ts';
import { omitAbsent } from './omit-absent.ts';
import {
  readAddress,
  readBigint,
  readChainId,
  readHex,
  readOneOf,
  readSeconds,
  readSignedBigint,
  writeBigint,
  writeChainId,
  writeSeconds,
  writeSignedBigint,
} from './scalars.ts';

const entryKinds = [
  'deposit',
  'withdrawal',
  'credit',
  'debit',
  'hold',
  'release',
  'settle',
  'shortfall',
  'recovery',
] as const;

function writeOptionalWhole(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value);
}

function readOptionalWhole(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

const formerTankConverter = converter(
  FormerGasTankSchema,
  (tank: FormerTank) => ({
    fundingWallet: tank.fundingWallet,
    left: writeBigint(tank.left),
    held: writeBigint(tank.held),
  }),
  (message): FormerTank => ({
    fundingWallet: readAddress(message.fundingWallet),
    left: readBigint(message.left),
    held: readBigint(message.held),
  }),
);

export const gasTankConverter = converter(
  GasTankSchema,
  (tank: GasTank) =>
    omitAbsent({
      chainId: writeChainId(tank.chainId),
      contract: tank.contract,
      fundingWallet: tank.fundingWallet,
      funded: writeBigint(tank.funded),
      settled: writeBigint(tank.settled),
      held: writeBigint(tank.held),
      available: writeBigint(tank.available),
      chainDeposit: tank.chainDeposit === undefined ? undefined : writeBigint(tank.chainDeposit),
      daysLeft: writeOptionalWhole(tank.daysLeft),
      formerTanks: tank.formerTanks?.map(formerTankConverter.toMessage),
    }),
  (message): GasTank =>
    omitAbsent({
      chainId: readChainId(message.chainId),
      contract: readAddress(message.contract),
      fundingWallet: message.fundingWallet === undefined ? undefined : readAddress(message.fundingWallet),
      funded: readBigint(message.funded),
      settled: readBigint(message.settled),
      held: readBigint(message.held),
      available: readBigint(message.available),
      chainDeposit: message.chainDeposit === undefined ? undefined : readBigint(message.chainDeposit),
      daysLeft: readOptionalWhole(message.daysLeft),
      formerTanks: message.formerTanks.length === 0 ? undefined : message.formerTanks.map(formerTankConverter.toDomain),
    }),
);

const gasTankEntryConverter = converter(
  GasTankEntrySchema,
  (entry: GasTankEntry) =>
    omitAbsent({
      ...entry,
      entryId: BigInt(entry.entryId),
      amount: writeBigint(entry.amount),
      createdAt: writeSeconds(entry.createdAt),
      logIndex: writeOptionalWhole(entry.logIndex),
    }),
  (message): GasTankEntry =>
    omitAbsent({
      entryId: Number(message.entryId),
      kind: readOneOf(entryKinds, message.kind),
      amount: readBigint(message.amount),
      createdAt: readSeconds(message.createdAt),
      reason: message.reason,
      txHash: message.txHash === undefined ? undefined : readHex(message.txHash),
      logIndex: readOptionalWhole(message.logIndex),
    }),
);

export const gasTankEntryListConverter = converter(
  GasTankEntryListSchema,
  (entries: readonly GasTankEntry[]) => ({ entries: entries.map(gasTankEntryConverter.toMessage) }),
  (message): readonly GasTankEntry[] => message.entries.map(gasTankEntryConverter.toDomain),
);

const ledgerReportConverter = converter(
  LedgerReportSchema,
  (report: LedgerReport) =>
    omitAbsent({
      state: report.state,
      chainId: writeChainId(report.chainId),
      contract: report.contract,
      entryPoint: report.entryPoint,
      atBlock: report.atBlock,
      chainDeposit: report.chainDeposit === undefined ? undefined : writeBigint(report.chainDeposit),
      bookDeposit: writeSignedBigint(report.bookDeposit),
      difference: report.difference === undefined ? undefined : writeSignedBigint(report.difference),
      unattributedDeposits: writeBigint(report.unattributedDeposits),
      withdrawals: writeBigint(report.withdrawals),
      unexplainedCosts: writeBigint(report.unexplainedCosts),
      funded: writeSignedBigint(report.funded),
      settled: writeBigint(report.settled),
      held: writeBigint(report.held),
      shortfall: writeBigint(report.shortfall),
      margin: writeSignedBigint(report.margin),
      customerBalances: report.customerBalances === undefined ? undefined : writeBigint(report.customerBalances),
      faults: [...report.faults],
    }),
  (message): LedgerReport =>
    omitAbsent({
      state: readOneOf(['compared', 'unreachable'], message.state),
      chainId: readChainId(message.chainId),
      contract: readAddress(message.contract),
      entryPoint: readAddress(message.entryPoint),
      atBlock: message.atBlock,
      chainDeposit: message.chainDeposit === undefined ? undefined : readBigint(message.chainDeposit),
      bookDeposit: readSignedBigint(message.bookDeposit),
      difference: message.difference === undefined ? undefined : readSignedBigint(message.difference),
      unattributedDeposits: readBigint(message.unattributedDeposits),
      withdrawals: readBigint(message.withdrawals),
      unexplainedCosts: readBigint(message.unexplainedCosts),
      funded: readSignedBigint(message.funded),
      settled: readBigint(message.settled),
      held: readBigint(message.held),
      shortfall: readBigint(message.shortfall),
      margin: readSignedBigint(message.margin),
      customerBalances: message.customerBalances === undefined ? undefined : readBigint(message.customerBalances),
      faults: message.faults,
    }),
);

export const ledgerReportListConverter = converter(
  LedgerReportListSchema,
  (reports: readonly LedgerReport[]) => ({ reports: reports.map(ledgerReportConverter.toMessage) }),
  (message): readonly LedgerReport[] => message.reports.map(ledgerReportConverter.toDomain),
);

export const readGasTankInput = converter(
  ReadGasTankRequestSchema,
  (input: Input<'readGasTank'>) => input,
  ({ accountId, paymasterId }): Input<'readGasTank'> => ({ accountId, paymasterId }),
);

export const listGasTankEntriesInput = converter(
  ListGasTankEntriesRequestSchema,
  (input: Input<'listGasTankEntries'>) =>
    omitAbsent({ ...input, beforeEntryId: writeOptionalWhole(input.beforeEntryId) }),
  ({ accountId, paymasterId, beforeEntryId, limit }): Input<'listGasTankEntries'> =>
    omitAbsent({ accountId, paymasterId, beforeEntryId: readOptionalWhole(beforeEntryId), limit }),
);

export const adjustTankInput = converter(
  AdjustTankRequestSchema,
  (input: Input<'adjustTank'>) => ({ ...input, amount: writeBigint(input.amount) }),
  ({ paymasterId, kind, amount, reason }): Input<'adjustTank'> => ({
    paymasterId,
    kind: readOneOf(['credit', 'debit'], kind),
    amount: readBigint(amount),
    reason,
  }),
);

export const checkLedgerInput = converter(
  CheckLedgerRequestSchema,
  (_: undefined) => ({}),
  () => undefined,
);
