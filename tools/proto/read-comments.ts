import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Comments of the domain, as one line each, by `Message`, `Message.field`, `method()` and `method().field`. */
export type Comments = ReadonlyMap<string, string>;

const comment = String.raw`(?:^ *\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?`;
/** A constant ends at a line without indentation that is not its last bracket. */
const ofConstant = new RegExp(
  String.raw`${comment}^(?:export )?const (\w+) = ([\s\S]*?)(?=\n(?:\n\S|\w|/)|(?![\s\S]))`,
  'gm',
);
const ofMethod = new RegExp(String.raw`${comment}^  (\w+)(?:: \{|\(\):)`, 'gm');
const ofField = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(\w+)[:,]/g;
const messageName = /^(?:asM|m)essage\(\s*'(\w+)'/;
/** A constant whose fields another one includes. */
const shared = /(?:\.\.\.|\bfieldsOf\()(?!fieldsOf)(\w+)/g;

/** Reads the comments on message schemas, their fields, and the core's operations. */
export function readComments(root: string): Comments {
  const comments = new Map<string, string>();
  const add = (name: string, text: string | undefined): void => {
    if (text !== undefined && !comments.has(name)) comments.set(name, plain(text));
  };
  const sources = domainFiles(root).map((file) => ({ file, source: readFileSync(file, 'utf8') }));
  const constants = sources.flatMap(({ source }) => [...source.matchAll(ofConstant)]);
  const texts = new Map(constants.map(([, , name = '', text = '']) => [name, text]));
  /** The comments on the fields in a text, including fields from constants. */
  const addFields = (owner: string, text: string): void => {
    for (const [, of, field = ''] of text.matchAll(ofField)) add(`${owner}.${field}`, of);
    for (const [, name = ''] of text.matchAll(shared)) addFields(owner, texts.get(name) ?? '');
  };
  for (const [, of, , text = ''] of constants) {
    const name = messageName.exec(text)?.[1];
    if (name === undefined) continue;
    add(name, of);
    addFields(name, text);
  }
  for (const { source } of sources.filter(({ file }) => file.endsWith('-operations.ts'))) {
    const methods = [...source.matchAll(ofMethod)];
    for (const [index, { 0: head, 1: of, 2: name = '', index: at }] of methods.entries()) {
      add(`${name}()`, of);
      addFields(`${name}()`, source.slice(at + head.length, methods[index + 1]?.index));
    }
  }
  return comments;
}

function domainFiles(root: string): readonly string[] {
  return ['core/domain', 'core/base/metrics'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(root, folder, name)),
  );
}

function plain(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/^ *\* ?/, '').trim());
  const line = lines.join(' ').trim().replace(/\s+/g, ' ');
  return line.replace(/\{@link ([^}]+)\}/g, '`$1`');
}
