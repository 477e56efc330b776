import { isSame, sortedJson } from '../../api/merge-settings.ts';
import type { PolicyDraft } from './policy-draft.ts';

/** One rule of a policy that someone has changed: a field, a field of a group, or an item of a list. */
export type ChangedRule = {
  /** Names the rule among all of a policy. */
  readonly id: string;
  /** The fields that lead to it, from the policy down. */
  readonly path: readonly string[];
  /** Whether its value is an item of the list at the path. */
  readonly isItem: boolean;
  /** Values before, as others saved it, and in this draft. Undefined: there is no such rule. */
  readonly was: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
  readonly changedBy: 'both' | 'others' | 'me';
};

/** Whose value counts of the rules that both have changed, by the rules' ids: one's own if nothing is said. */
export type Choices = Readonly<Record<string, 'mine' | 'theirs'>>;

export type MergedPolicy = { readonly policy: PolicyDraft; readonly rules: readonly ChangedRule[] };

type Versions = { readonly was: unknown; readonly mine: unknown; readonly theirs: unknown };

/**
 * A policy that two people have changed at the same time, rule by rule: what one of them changed is as they left it. `was` is
 * what both began with, `theirs` what is in force by now.
 */
export function mergePolicies(
  versions: { readonly [Name in keyof Versions]: PolicyDraft },
  choices: Choices,
): MergedPolicy {
  const rules: ChangedRule[] = [];
  const policy = mergeValue(versions, [], { choices, rules }) as PolicyDraft;
  return { policy, rules };
}

type Merging = { readonly choices: Choices; readonly rules: ChangedRule[] };

function mergeValue(versions: Versions, path: readonly string[], merging: Merging): unknown {
  const { was, mine, theirs } = versions;
  const isSplit = path.length === 0 || !(isSame(mine, was) || isSame(theirs, was));
  if (isSplit && isGroup(was) && isGroup(mine) && isGroup(theirs)) {
    const names = [...new Set([was, theirs, mine].flatMap(Object.keys))];
    const fields = names.map((name) => {
      const of = { was: was[name], mine: mine[name], theirs: theirs[name] };
      return [name, mergeValue(of, [...path, name], merging)] as const;
    });
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }
  // A list that is not there may mean something else than an empty one.
  if (Array.isArray(was) && Array.isArray(mine) && Array.isArray(theirs)) {
    return mergeLists({ was, mine, theirs }, path, merging);
  }
  return mergeRule(versions, { path, isItem: false, id: path.join('.') }, merging);
}

type Lists = { readonly [Name in keyof Versions]: readonly unknown[] };

/** Items that are there in one's own draft only come last. */
function mergeLists({ was, mine, theirs }: Lists, path: readonly string[], merging: Merging): readonly unknown[] {
  const [before, own, others] = [was, mine, theirs].map(itemsByIdentity) as [Items, Items, Items];
  return [...new Set([...others.keys(), ...own.keys(), ...before.keys()])].flatMap((identity) => {
    const of = { was: before.get(identity), mine: own.get(identity), theirs: others.get(identity) };
    const merged = mergeRule(of, { path, isItem: true, id: `${path.join('.')} ${identity}` }, merging);
    return merged === undefined ? [] : [merged];
  });
}

type Items = ReadonlyMap<string, unknown>;

/** Items by what makes them the same rule; equal ones also by their order. */
function itemsByIdentity(list: readonly unknown[]): Items {
  const items = new Map<string, unknown>();
  for (const item of list) {
    const identity = identityOf(item);
    let id = identity;
    for (let count = 2; items.has(id); count += 1) id = `${identity} ${count}`;
    items.set(id, item);
  }
  return items;
}

/** Amounts of a rule, which do not make it another one. */
const amounts = new Set(['max', 'maxCallGas']);

/** What makes an item of a list the same rule in two versions: of a limit and of a cap by method all but the amount. */
export function identityOf(item: unknown): string {
  if (!isGroup(item)) return String(item).toLowerCase();
  return (
    sortedJson(Object.fromEntries(Object.entries(item).filter(([name]) => !amounts.has(name)))) ?? ''
  ).toLowerCase();
}

function mergeRule(
  { was, mine, theirs }: Versions,
  rule: Pick<ChangedRule, 'id' | 'path' | 'isItem'>,
  { choices, rules }: Merging,
): unknown {
  const [isMine, isTheirs] = [!isSame(mine, was), !isSame(theirs, was)];
  if (!isMine && !isTheirs) return theirs;
  const isConflict = isMine && isTheirs && !isSame(mine, theirs);
  const changedBy = isConflict ? 'both' : isTheirs ? 'others' : 'me';
  rules.push({ ...rule, was, mine, theirs, changedBy });
  if (isConflict) return choices[rule.id] === 'theirs' ? theirs : mine;
  return isTheirs ? theirs : mine;
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A policy with nothing but one rule, as one of the versions has it. */
export function policyOfRule({ path, isItem }: Pick<ChangedRule, 'path' | 'isItem'>, value: unknown): PolicyDraft {
  const whole = isItem ? [value] : value;
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), whole) as PolicyDraft;
}
