import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { CliError } from '../../clients/cli/terminal/cli-error.ts';
import { type Environment, processEnvironment } from '../../clients/cli/terminal/environment.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { applyOverrides } from '../config/apply-overrides.ts';
import { configSchema } from '../config/config-schema.ts';
import { formatPath, issueText } from '../config/describe-issue.ts';
import { expandNames, writtenAt } from '../config/expand-names.ts';
import { findConfigFile, readConfigFile, resolveFiles } from '../config/load-config.ts';
import { checkFiles } from './check-files.ts';
import { checkKeystores } from './check-keystores.ts';
import { compareSettings } from './compare-settings.ts';
import { explainIssues } from './explain-issues.ts';
import type { ConfigMistake, FoundMistake } from './mistake.ts';

/**
 * Everything wrong with the configuration from flags and environment, in the order of the file: its syntax, its settings,
 * and the files that they name. Does not use the network.
 */
export async function findMistakes(
  flags: Flags,
  environment: Environment = processEnvironment(),
): Promise<readonly ConfigMistake[]> {
  const file = findConfigFile(flags, environment);
  const source = file === undefined ? { text: '{}', content: {} } : readSource(file);
  if ('mistakes' in source) return source.mistakes;
  const { text, content } = source;
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const expanded = expandNames(file === undefined ? content : resolveFiles(content, dirname(file)));
  const raw = overridden(expanded.value, flags, environment);
  if ('mistake' in raw) return [raw.mistake];
  const inFile = (await findIn(raw.value)).map((mistake) =>
    raw.origins.has(mistake.path.join('.')) ? mistake : { ...mistake, path: writtenAt(expanded, mistake.path) },
  );
  const found = [...keysTwice(tree), ...inFile];
  return inOrder(
    withoutRepeats(found).map(({ path, ofKey, hint, ...mistake }) => {
      const origin = raw.origins.get(path.join('.'));
      const place = origin === undefined && file !== undefined ? locate(text, tree, path, ofKey) : undefined;
      return {
        ...mistake,
        setting: formatPath(path),
        place:
          place === undefined ? (origin ?? 'no configuration file is named') : `${file}:${place.line}:${place.column}`,
        ...place,
        ...(hint === undefined ? {} : { hint }),
      };
    }),
  );
}

async function findIn(value: unknown): Promise<readonly FoundMistake[]> {
  const parsed = configSchema.safeParse(value, { error: issueText });
  return [
    ...explainIssues(parsed.error?.issues ?? [], value),
    ...compareSettings(value),
    ...checkFiles(value),
    ...(await checkKeystores(value)),
  ];
}

/** An unparseable file has no settings to check, but may have several syntax errors. */
function readSource(file: string): ReturnType<typeof readConfigFile> | { readonly mistakes: readonly ConfigMistake[] } {
  try {
    return readConfigFile(file);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const errors: ParseError[] = [];
    const text = readIfThere(file);
    if (text !== undefined) parseTree(text, errors, { allowTrailingComma: true });
    if (text === undefined || errors.length === 0) {
      const hint = 'Name it with --config, or create one with `tollfree init`.';
      return { mistakes: [{ id: 'file-unreadable', setting: '', place: file, problem: error.message, hint }] };
    }
    const mistakes = errors.map(({ error: code, offset }): ConfigMistake => {
      const position = positionAt(text, offset);
      const reason = printParseErrorCode(code).replace(/(?<=[a-z])[A-Z]/g, (letter: string) => ` ${letter}`);
      return {
        id: 'syntax',
        setting: '',
        place: `${file}:${position.line}:${position.column}`,
        ...position,
        problem: `is not valid JSON here: ${reason.toLowerCase()}`,
        hint: 'Check for a missing comma, quotation mark or bracket directly before.',
      };
    });
    return { mistakes };
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The settings, overridden by flags and variables; a variable may be for a chain that is not configured. */
function overridden(content: unknown, flags: Flags, environment: Environment) {
  try {
    return applyOverrides(content, { environment, flags });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const hint = 'Remove the variable, or add the chain.';
    const mistake: ConfigMistake = {
      id: 'variable',
      setting: '',
      place: 'the environment',
      problem: error.message,
      hint,
    };
    return { mistake };
  }
}

/** JSON silently uses the last of two settings with the same name. */
function keysTwice(
  node: Node | undefined,
  path: readonly PropertyKey[] = [],
): readonly (FoundMistake & { readonly offset?: number })[] {
  if (node?.type === 'array') return (node.children ?? []).flatMap((item, index) => keysTwice(item, [...path, index]));
  if (node?.type !== 'object') return [];
  const seen = new Set<string>();
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    const name = String(key?.value);
    const isTwice = seen.has(name);
    seen.add(name);
    const inner = keysTwice(value, [...path, name]);
    if (!isTwice) return inner;
    const hint = 'Only the last one counts. Remove one of them.';
    return [{ id: 'key-twice', path: [...path, name], problem: 'is set twice', hint, ofKey: true }, ...inner];
  });
}

/** Removes duplicates found by two checks. */
function withoutRepeats(mistakes: readonly FoundMistake[]): readonly FoundMistake[] {
  const said = new Set<string>();
  return mistakes.filter(({ problem, path }) => {
    const name = `${formatPath(path)} ${problem}`;
    if (said.has(name)) return false;
    said.add(name);
    return true;
  });
}

function inOrder(mistakes: readonly ConfigMistake[]): readonly ConfigMistake[] {
  return [...mistakes].sort(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) || a.setting.localeCompare(b.setting),
  );
}

/** A position in a text, both numbers from 1. */
type Position = { readonly line: number; readonly column: number };

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The position of a setting, or of its key; for a missing one, of its closest parent. */
function locate(text: string, tree: Node | undefined, path: readonly PropertyKey[], ofKey = false): Position {
  if (tree === undefined) return { line: 1, column: 1 };
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const steps = path.slice(0, depth).map((step) => (typeof step === 'symbol' ? String(step) : step));
    const node = findNodeAtLocation(tree, steps);
    if (node === undefined) continue;
    const isProperty = node.parent?.type === 'property';
    return positionAt(text, ((isProperty && (ofKey || depth < path.length) ? node.parent : node) ?? node).offset);
  }
  return positionAt(text, tree.offset);
}
