import { readFileSync, writeFileSync } from 'node:fs';
import type { ProtoMessage } from './proto-messages.ts';

/** Field numbers of each message, by file. A number is never changed or reused. */
export type FieldNumbers = {
  readonly about: string;
  readonly files: Record<string, Record<string, Record<string, number>>>;
  /** Optional fields from before such fields had to be marked `optional`. */
  readonly unlabelled: readonly string[];
};

const path = 'proto/field-numbers.json';

export function readFieldNumbers(): FieldNumbers {
  return JSON.parse(readFileSync(path, 'utf8')) as FieldNumbers;
}

/**
 * Assigns the next numbers to new messages and fields. Throws if two fields of a message have the same number, as after
 * merging two branches: the unreleased field must get another number by hand.
 */
export function withNewNumbers(numbers: FieldNumbers, messages: Iterable<ProtoMessage>): FieldNumbers {
  const files = structuredClone(numbers.files);
  for (const { name, file, shape } of messages) {
    const known = Object.values(files).find((one) => name in one);
    if (known === undefined) files[file] ??= {};
    const home = known ?? files[file] ?? {};
    home[name] ??= {};
    const fields = home[name];
    for (const field of shape.fields) fields[protoName(field.name)] ??= Math.max(0, ...Object.values(fields)) + 1;
    const given = Object.values(fields);
    if (new Set(given).size < given.length) throw new TypeError(`two fields of ${name} have one number in ${path}`);
  }
  return { ...numbers, files };
}

/** Writes a line per message, so that a diff shows the changed message. */
export function writeFieldNumbers({ about, files, unlabelled }: FieldNumbers): void {
  const blocks = Object.entries(files).map(([file, messages]) => {
    const lines = Object.entries(messages).map(([name, fields]) => {
      const numbers = Object.entries(fields).map(([field, number]) => `"${field}": ${number}`);
      return `      "${name}": { ${numbers.join(', ')} }`.replace('{  }', '{}');
    });
    return `    "${file}": {\n${lines.join(',\n')}\n    }`;
  });
  const rest = unlabelled.map((field) => `    "${field}"`).join(',\n');
  writeFileSync(
    path,
    `{\n  "about": "${about}",\n  "files": {\n${blocks.join(',\n')}\n  },\n  "unlabelled": [\n${rest}\n  ]\n}\n`,
  );
}

/** The protobuf name of a domain field: `maxUsdMicros` is `max_usd_micros`. */
export function protoName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
