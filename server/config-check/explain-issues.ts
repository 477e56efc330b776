import { nearest } from '@tollfree/contract/fields/nearest-field';
import { getAddress, isAddress, isHex, zeroAddress } from 'viem';
import { z } from 'zod';
import { configSchema } from '../config/config-schema.ts';
import { insteadOf } from '../config/fixed-settings.ts';
import { type FoundMistake, mistakeIds } from './mistake.ts';

type Issue = z.core.$ZodIssue;

/** Settings that are amounts of wei, written with their unit. */
const amounts: ReadonlyMap<PropertyKey, 'gwei' | 'ether'> = new Map([
  ['minTip', 'gwei'],
  ['maxFeePerGasCeiling', 'gwei'],
  ['maxCostPerOperation', 'ether'],
  ['maxPerDay', 'ether'],
  ['below', 'ether'],
  ['to', 'ether'],
]);

/** How the schema refuses an undefined name. */
const noName = /which is no name in (signers|priceSources)$/;

/** Explains the schema's refusals to the author of `whole`. */
export function explainIssues(issues: readonly Issue[], whole: unknown): readonly FoundMistake[] {
  const ofOtherType = new Set(issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [path.join('.')] : [])));
  // If text was given instead of a list, its length does not matter.
  const reported = issues.filter(({ code, path }) => code === 'invalid_type' || !ofOtherType.has(path.join('.')));
  return reported.flatMap((issue) => explainIssue(issue, whole));
}

/** One refusal can concern several keys. */
function explainIssue(issue: Issue, whole: unknown): readonly FoundMistake[] {
  const { path, message } = issue;
  const value = valueAt(whole, path);
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey([...path, key]));
  const section = noName.exec(message)?.[1];
  if (section !== undefined) {
    const hint = `Add ${JSON.stringify(value)} to ${section}, or write the object here.`;
    return [{ id: 'unknown-name', path, problem: message, hint }];
  }
  if (issue.code === 'invalid_union') return explainUnion(issue, whole, value);
  if (isAmount(issue, path)) return [wrongAmount(path, value)];
  if (value === undefined && issue.code !== 'custom') return [missing(path)];
  if (issue.code === 'custom' && issue.params?.id === 'address') return [wrongAddress(path, value)];
  if (issue.code === 'custom' && issue.params?.id === 'twice') return twice(path, String(issue.params.key), value);
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    return [{ id: 'out-of-range', path, problem: message, hint: boundsHint(path) }];
  }
  const isOfOtherType = issue.code === 'invalid_type';
  const hint = isOfOtherType ? typeHint(issue.expected, value) : meantHint(message, value);
  return [{ id: isOfOtherType ? 'wrong-type' : 'wrong-value', path, problem: message, hint }];
}

function unknownKey(path: readonly PropertyKey[]): FoundMistake {
  const now = insteadOf(path);
  if (now !== undefined) {
    return { id: 'removed-key', path, problem: 'is no longer a setting', hint: `${now} Remove it.`, ofKey: true };
  }
  const keys = knownKeys(path.slice(0, -1));
  const meant = nearest(String(path.at(-1)), keys);
  const hint = meant === undefined ? `The known keys are ${[...keys].sort().join(', ')}.` : `Is "${meant}" meant?`;
  return { id: 'unknown-key', path, problem: 'is not a known setting', hint, ofKey: true };
}

/** The mistakes of the most likely alternative: the one that expects an object where an object is given. */
function explainUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  whole: unknown,
  value: unknown,
): readonly FoundMistake[] {
  const { path, message } = issue;
  if (value === undefined) return [missing(path)];
  const kinds = knownKinds(path.at(-1) === 'kind' ? path.slice(0, -1) : path);
  const given = path.at(-1) === 'kind' ? value : valueAt(value, ['kind']);
  if (kinds.length > 0) {
    const meant = typeof given === 'string' ? nearest(given, kinds) : undefined;
    const hint = `${meant === undefined ? '' : `Did you mean "${meant}"? `}The kinds are ${kinds.join(', ')}.`;
    return [{ id: 'unknown-kind', path, problem: message, hint }];
  }
  const inner = issue.errors.find((issues) =>
    issues.every((one) => one.path.length > 0 || one.code === 'unrecognized_keys'),
  );
  if (inner === undefined || typeof value !== 'object') return [{ id: 'wrong-value', path, problem: message }];
  return inner.flatMap((one) => explainIssue({ ...one, path: [...path, ...one.path] }, whole));
}

function isAmount(issue: Issue, path: readonly PropertyKey[]): boolean {
  return (
    (issue.code === 'custom' && issue.params?.id === 'amount') ||
    (issue.code === 'invalid_type' && amounts.has(path.at(-1) ?? ''))
  );
}

function wrongAmount(path: readonly PropertyKey[], value: unknown): FoundMistake {
  const unit = amounts.get(path.at(-1) ?? '') ?? 'gwei';
  const digits = /^\d+(?:\.\d+)?$/.test(String(value)) ? String(value) : undefined;
  const asked = 'must be an amount with its unit, as text';
  const hint =
    digits === undefined
      ? 'The units are wei, gwei and ether: "50 gwei", "0.01 ether".'
      : `Write "${digits} wei", "${digits} gwei" or "${digits} ether": ${unit} is usual here.`;
  return { id: 'amount-unit', path, problem: asked, hint };
}

function missing(path: readonly PropertyKey[]): FoundMistake {
  return { id: 'missing', path, problem: 'is missing', hint: `Add "${String(path.at(-1))}".` };
}

function wrongAddress(path: readonly PropertyKey[], value: unknown): FoundMistake {
  const problem = 'must be an address (0x and 40 hex digits)';
  if (value === zeroAddress) return { id: 'address', path, problem, hint: 'The zero address belongs to no one.' };
  if (typeof value === 'string' && isAddress(value, { strict: false })) {
    const hint = `The correct checksum is ${getAddress(value)}. Compare all digits with your source: one may be wrong.`;
    return { id: 'address-checksum', path, problem: 'has a wrong checksum', hint };
  }
  if (typeof value !== 'string' || !isHex(value))
    return { id: 'address', path, problem, hint: 'ENS names are not supported.' };
  return { id: 'address', path, problem, hint: `This has ${value.length - 2} digits.` };
}

/** Each entry of a list that duplicates an earlier one. */
function twice(path: readonly PropertyKey[], key: string, list: unknown): readonly FoundMistake[] {
  const first = new Map<string, number>();
  const id = mistakeIds.find((one) => one === `${key}-twice`) ?? 'wrong-value';
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  return entries.flatMap((entry, index) => {
    const given = valueAt(entry, [key]);
    if (given === undefined) return [];
    const text = String(given).toLowerCase();
    const before = first.get(text);
    if (before === undefined) {
      first.set(text, index);
      return [];
    }
    const hint = `Entry ${before + 1} of the list already has it. Give one of them another ${key}, or remove it.`;
    return [{ id, path: [...path, index, key], problem: `is ${String(given)} a second time`, hint }];
  });
}

function boundsHint(path: readonly PropertyKey[]): string | undefined {
  const { least, most } = knownBounds(path);
  if (least === undefined || most === undefined) return undefined;
  return most >= Number.MAX_SAFE_INTEGER ? `It is ${least} or more.` : `It is between ${least} and ${most}.`;
}

function typeHint(expected: string, value: unknown): string | undefined {
  if (expected === 'array' && typeof value === 'string') return `Put it between brackets: [${JSON.stringify(value)}].`;
  if (expected === 'string' && typeof value === 'number') return `Write it between quotation marks: "${value}".`;
  const isQuoted = typeof value === 'string' && /^(?:\d+(?:\.\d+)?|true|false)$/.test(value);
  return isQuoted ? `Write it without quotation marks: ${value}.` : undefined;
}

/** The allowed value that an invalid one resembles. */
function meantHint(message: string, value: unknown): string | undefined {
  const list = /^must be one of: (.+)$/.exec(message)?.[1]?.split(', ');
  const meant = list === undefined || typeof value !== 'string' ? undefined : nearest(value, list);
  return meant === undefined ? undefined : `Is "${meant}" meant?`;
}

/** The value at a path of unchecked data. */
export function valueAt(whole: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    whole,
  );
}

/** The used part of JSON Schema. */
type Shape = {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  /** The schema of entries whose names the author chooses. */
  readonly additionalProperties?: Shape | boolean;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly const?: unknown;
};

/** The allowed keys of a configuration at a path. */
function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  return [...new Set(shapesAt(path).flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

/** The values of `kind` at a path with several alternatives. */
function knownKinds(path: readonly PropertyKey[]): readonly string[] {
  return shapesAt(path).flatMap(({ properties }) => {
    const kind = properties?.kind?.const;
    return typeof kind === 'string' ? [kind] : [];
  });
}

function knownBounds(path: readonly PropertyKey[]): { readonly least?: number; readonly most?: number } {
  const found = shapesAt(path).find(({ minimum, maximum }) => minimum !== undefined || maximum !== undefined);
  const { minimum: least, maximum: most } = found ?? {};
  return { ...(least === undefined ? {} : { least }), ...(most === undefined ? {} : { most }) };
}

let whole: Shape | undefined;

function shapesAt(path: readonly PropertyKey[]): readonly Shape[] {
  // JSON Schema's view of our schema suffices for keys, kinds and bounds.
  whole ??= z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Shape;
  return path.reduce<readonly Shape[]>(
    (shapes, step) => shapes.flatMap((shape) => inside(shape, step)),
    choices(whole),
  );
}

function inside({ properties, items, additionalProperties }: Shape, step: PropertyKey): readonly Shape[] {
  const named = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const next = typeof step === 'number' ? items : (properties?.[String(step)] ?? named);
  return next === undefined ? [] : choices(next);
}

function choices(shape: Shape): readonly Shape[] {
  return [shape, ...[...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].flatMap(choices)];
}
