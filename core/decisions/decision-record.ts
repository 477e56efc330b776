import { deflateRawSync, inflateRawSync, type ZlibOptions } from 'node:zlib';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem';
import { z } from 'zod';
import { type DecisionFacts, type Fix, firstOf, fixActions, type ListedCalls } from '../domain/decision.ts';
import type { OverviewDecision } from '../domain/overview.ts';
import type { CallContent } from '../policies/call-rules/call-rules.ts';
import { readJsonColumn } from '../store/read-json-column.ts';
import { RowError, type StoredRow } from '../store/store-error.ts';
import { type DecisionDraft, type DraftStep, toTraceStep } from './decision-draft.ts';
import { findingsDictionary } from './reasons-dictionary.ts';
import { CallContentSchema, DecidedCallSchema, requestDictionary, type StoredRequest } from './request-record.ts';

/** First byte of packed reasons. Another dictionary needs another number. */
const form = 3;

/**
 * Names of rules, findings and fields are nearly the same in every decision: a shared dictionary reduces them to a few bytes.
 * Reasons and request are packed at once, since making a packer takes as long as packing either of them. More effort would
 * take time that an answer waits for, and so would more memory: a third of the time is making the packer's tables.
 */
const dictionary = Buffer.concat([requestDictionary, findingsDictionary]);
const packing = { level: 3, memLevel: 3, windowBits: 13, chunkSize: 1_024, dictionary } as const;
/** More than any reasons need, in bytes: crafted data in the table could otherwise fill the memory. */
const maxOutputLength = 16 * 2 ** 20;
const unpacking: ZlibOptions = { windowBits: 13, dictionary, maxOutputLength };

/** Most characters, and packed bytes, of reasons with their request: anyone may send requests, and all are stored. */
const maxLength = 32_768;
export const maxPacked = 5_120;

/** Reasons, and the request unless that makes them too long, as few bytes. */
function packReasons(reasons: object, request: StoredRequest | undefined): Uint8Array {
  const text = JSON.stringify({ ...reasons, ...omitAbsent({ request }) });
  const isShort = request === undefined || text.length <= maxLength;
  const packed = isShort ? deflateRawSync(text, packing) : undefined;
  if (packed === undefined || (request !== undefined && packed.length >= maxPacked))
    return packReasons(reasons, undefined);
  return Buffer.concat([Buffer.of(form), packed]);
}

/**
 * The text that was packed.
 *
 * @throws RowError when it was not packed by {@link packReasons}.
 */
function unpackReasons(packed: Uint8Array, row: StoredRow): string {
  if (packed[0] !== form) throw new RowError(row, 'its reasons were written by another version of the program');
  try {
    return inflateRawSync(packed.subarray(1), unpacking).toString('utf8');
  } catch (cause) {
    throw new RowError(row, 'its reasons are incomplete', { cause });
  }
}

/** An amount that is decimal text in the store. */
const amount = z.codec(z.string().regex(/^\d{1,78}$/), z.bigint(), { decode: BigInt, encode: String });

const hash = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value));

/** The facts that the database searches, and that are shown without unpacking the others. */
const SearchedFactsSchema = z.object({
  calls: z.array(DecidedCallSchema).readonly(),
  attribution: z.array(z.string()).readonly().exactOptional(),
  usdMicrosPerCoin: amount.exactOptional(),
});

const AccountSchema = z.object({
  known: z.boolean(),
  text: z.string(),
  codeHash: hash.exactOptional(),
  setting: z.string().exactOptional(),
  entry: z.string().exactOptional(),
});

const orNull = <Value>(schema: z.ZodType<Value>) => schema.nullable().transform((value) => value ?? undefined);

/** The other facts, as {@link packedFacts} writes them: without names, and null for what is not known. */
const PackedFactsSchema = z
  .tuple([
    z.boolean(),
    amount,
    orNull(AccountSchema),
    orNull(z.string()),
    ...([orNull(amount), orNull(amount), orNull(amount)] as const),
  ])
  .transform(([deploysOnly, maxFeePerGas, account, subject, gas, callGas, worstCase]) => ({
    deploysOnly,
    maxFeePerGas,
    ...omitAbsent({ account, subject, gas, callGas, worstCase }),
  }));

function packedFacts(facts: DecisionFacts): readonly unknown[] {
  const { deploysOnly, maxFeePerGas, account, subject, gas, callGas, worstCase } = facts;
  const amounts = [gas, callGas, worstCase].map((value) => value?.toString() ?? null);
  return [deploysOnly, maxFeePerGas.toString(), account ?? null, subject ?? null, ...amounts];
}

const FixSchema = z.object({
  action: z.enum(fixActions),
  target: z.custom<Address>((value) => typeof value === 'string' && isAddress(value)).exactOptional(),
  selector: z.custom<Hex>((value) => isHex(value)).exactOptional(),
  policyField: z.string().exactOptional(),
  webhookId: z.string().exactOptional(),
  neededWei: amount.exactOptional(),
}) satisfies z.ZodType<Fix>;

/** A value of a finding. An amount is in an array, since callers' texts may consist of digits too. */
const FindingValueSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null().transform(() => undefined),
  z.tuple([z.string().regex(/^-?\d{1,78}$/)]).transform(([digits]) => BigInt(digits)),
]);

/** A step without texts, as {@link storedStep} writes it. */
const FoundStepSchema = z
  .tuple([z.string(), z.tuple([z.string()], FindingValueSchema), z.string().optional(), FixSchema.optional()])
  .transform(([rule, finding, remedy, fix]) => toTraceStep({ rule, finding, ...omitAbsent({ remedy, fix }) }));

const ReasonsSchema = z.object({
  facts: PackedFactsSchema.exactOptional(),
  message: z.string().exactOptional(),
  /** The calls' contents, only for previews. Absent if the operation makes none. */
  contents: z.array(CallContentSchema.nullable()).readonly().exactOptional(),
  trace: z.array(FoundStepSchema).readonly(),
});

/** A decision as it is stored. */
export type DecisionRecord = Omit<z.output<typeof ReasonsSchema>, 'facts'> & { readonly facts?: DecisionFacts };
/** A record before its texts are made. */
export type DraftRecord = Omit<DecisionRecord, 'trace'> & {
  readonly trace: readonly DraftStep[];
  /** Which of the calls are registered: usage is counted by it. */
  readonly listed?: ListedCalls;
};

/** A record as columns: `record` is JSON of what the database searches, `reasons` the rest, packed. */
export type RecordColumns = { readonly record: string; readonly reasons: Uint8Array };

/** Raise it when stored data changes its meaning. A new optional field, or one with a default, changes nothing. */
const recordVersion = 3;

const VersionSchema = z.literal(recordVersion, { error: 'was written by another version of the program' });

/** The part stored outside `reasons`. */
const SearchedSchema = z.object({ version: VersionSchema, facts: SearchedFactsSchema.exactOptional() });

/** Most calls stored per decision. */
const maxCalls = 100;

/** The facts of a decision that got as far as decoding its operation. Addresses are checksummed, as everywhere. */
export function factsOf(draft: DecisionDraft): DecisionFacts | undefined {
  const { operation, calls, deploysOnly = false, account, ticketUser, gas, callGas } = draft;
  const { attribution, worstCase, usdMicrosPerCoin } = draft;
  if (operation === undefined || calls === undefined) return undefined;
  return {
    calls: calls.slice(0, maxCalls).map(({ target, selector }) => ({
      target: getAddress(target),
      ...omitAbsent({ selector }),
    })),
    deploysOnly,
    maxFeePerGas: draft.relayGasPrice ?? operation.maxFeePerGas,
    ...omitAbsent({ account, attribution, subject: ticketUser, gas, callGas, worstCase, usdMicrosPerCoin }),
  };
}

/**
 * Encodes a decision's reasons and its request, in at most `room` bytes: it leaves out what is needed least. A message and what
 * refused always have room. Every answer waits for it, so the schema is not used here.
 */
export function encodeDecisionRecord(
  record: DraftRecord,
  request?: StoredRequest,
  room = Number.POSITIVE_INFINITY,
): RecordColumns {
  let columns = encodeWhole(record, request);
  for (const shorter of shorterRecords(record)) {
    if (recordBytes(columns) <= room) break;
    columns = encodeWhole(shorter, undefined);
  }
  return columns;
}

/** The bytes of a record that depend on the request. */
export function recordBytes({ record, reasons }: RecordColumns): number {
  return Buffer.byteLength(record) + reasons.length;
}

/** Characters of its message that a short record has. */
const shortText = 160;

/** The record with less and less in it, the last one with little more than its message. */
function* shorterRecords(record: DraftRecord): Generator<DraftRecord> {
  yield record;
  const { contents: _, ...withoutContents } = record;
  yield withoutContents;
  const { facts, listed, trace, message, ...rest } = withoutContents;
  const last = trace.slice(-1);
  const short = { ...rest, ...omitAbsent({ message: message?.slice(0, shortText) }) };
  yield { ...short, ...omitAbsent({ facts, listed }), trace: last };
  // That there were calls is kept for usage.
  const uncalled = { ...short, ...omitAbsent({ listed: facts && '-' }) };
  yield { ...uncalled, trace: last };
  yield { ...uncalled, trace: [] };
}

function encodeWhole(
  { facts, listed, contents, trace, ...rest }: DraftRecord,
  request: StoredRequest | undefined,
): RecordColumns {
  const searched = {
    version: recordVersion,
    ...omitAbsent({ facts: facts && searchedFacts(facts), listed }),
  };
  const reasons = {
    ...rest,
    ...omitAbsent({ facts: facts && packedFacts(facts) }),
    ...omitAbsent({ contents: contents?.map((content) => content && withAmountsAsText(content)) }),
    trace: trace.map(storedStep),
  };
  return { record: JSON.stringify(searched), reasons: packReasons(reasons, request) };
}

function searchedFacts({ calls, attribution, usdMicrosPerCoin }: DecisionFacts): object {
  return { calls, ...omitAbsent({ attribution, usdMicrosPerCoin: usdMicrosPerCoin?.toString() }) };
}

function storedStep({ rule, finding, remedy, fix }: DraftStep): readonly unknown[] {
  const found = finding.map((value) => (typeof value === 'bigint' ? [value.toString()] : value));
  return remedy === undefined
    ? [rule, found]
    : [rule, found, remedy, ...(fix === undefined ? [] : [withAmountsAsText(fix)])];
}

/** JSON has no bigints; searching for amounts in every field of every step takes longer than writing it. */
function withAmountsAsText(fields: CallContent | Fix): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : value]),
  );
}

/** Parses the result of {@link encodeDecisionRecord}. Throws a `RowError` for anything else. */
export function decodeDecisionRecord({ record, reasons }: RecordColumns, decisionId: string): DecisionRecord {
  const row = { table: 'decisions', id: decisionId };
  const { facts: searched } = readJsonColumn(SearchedSchema, record, row);
  const { facts: packed, ...rest } = readJsonColumn(ReasonsSchema, unpackReasons(reasons, row), row);
  if ((searched === undefined) !== (packed === undefined)) throw new RowError(row, 'its facts are incomplete');
  return searched === undefined || packed === undefined ? rest : { ...rest, facts: { ...searched, ...packed } };
}

const ShownReasonsSchema = ReasonsSchema.pick({ message: true });

/** What the overview shows of a decision: a trace takes many times as long to read. */
export function decodeShownRecord(
  { record, reasons, reason }: RecordColumns & { readonly reason: string | null },
  decisionId: string,
): Pick<OverviewDecision, 'message' | 'usdMicrosPerCoin' | 'firstCall'> {
  const row = { table: 'decisions', id: decisionId };
  const { facts } = readJsonColumn(SearchedSchema, record, row);
  // Only refusals have a message.
  const message =
    reason === null ? undefined : readJsonColumn(ShownReasonsSchema, unpackReasons(reasons, row), row).message;
  const { calls = [], usdMicrosPerCoin } = facts ?? {};
  return omitAbsent({ message, usdMicrosPerCoin, firstCall: firstOf(calls) });
}

const WithRequestSchema = z.object({ request: z.unknown().optional() });

/** The JSON of a decision's request; undefined if it was too long to store. */
export function decodeRequest({ reasons }: Pick<RecordColumns, 'reasons'>, decisionId: string): string | undefined {
  const row = { table: 'decisions', id: decisionId };
  return JSON.stringify(readJsonColumn(WithRequestSchema, unpackReasons(reasons, row), row).request);
}
