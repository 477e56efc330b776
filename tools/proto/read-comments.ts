import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Comments of the domain, as one line each: of `Message`, of `Message.field`, of `method()` and of `method().field`. */
export type Comments = ReadonlyMap<string, string>;

const comment = String.raw`(?:^ *\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?`;
const ofMessage = new RegExp(
  `${comment}^(?:export )?const (\\w+) = (?:asM|m)essage\\(\\s*'(\\w+)',([\\s\\S]*?)^[})]`,
  'gm',
);
const ofMethod = new RegExp(`${comment}^  (\\w+)(?:: \\{|\\(\\):)`, 'gm');
const ofField = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(\w+)[:,]/g;
const spread = /\.\.\.fieldsOf\((\w+)\)/g;

/** Reads the comments on the schemas of messages, on their fields, and on the operations of the core. */
export function readComments(root: string): Comments {
  const comments = new Map<string, string>();
  const add = (name: string, text: string | undefined): void => {
    if (text !== undefined && !comments.has(name)) comments.set(name, plain(text));
  };
  const blocks = new Map<string, string>();
  const messages: [name: string, block: string][] = [];
  for (const file of domainFiles(root)) {
    const source = readFileSync(file, 'utf8');
    for (const [, text, schema = '', name = '', block = ''] of source.matchAll(ofMessage)) {
      add(name, text);
      blocks.set(schema, block);
      messages.push([name, block]);
    }
    if (!file.endsWith('-operations.ts')) continue;
    const methods = [...source.matchAll(ofMethod)];
    for (const [
      index,
      {
        0: { length },
        1: text,
        2: name = '',
        index: at,
      },
    ] of methods.entries()) {
      add(`${name}()`, text);
      const input = source.slice(at + length, methods[index + 1]?.index);
      for (const [, of, field = ''] of input.matchAll(ofField)) add(`${name}().${field}`, of);
    }
  }
  for (const [name, block] of messages) {
    const inherited = [...block.matchAll(spread)].map(([, schema = '']) => blocks.get(schema) ?? '');
    for (const [, text, field = ''] of [block, ...inherited].flatMap((one) => [...one.matchAll(ofField)])) {
      add(`${name}.${field}`, text);
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
  return lines
    .join(' ')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\{@link ([^}]+)\}/g, '`$1`');
}
