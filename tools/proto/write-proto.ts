import { writeFileSync } from 'node:fs';
import { root } from '../prose/find-markdown-files.ts';
import { readFieldNumbers, withNewNumbers, writeFieldNumbers } from './field-numbers.ts';
import { protoFile, serviceFile } from './proto-file.ts';
import { protoMessages } from './proto-messages.ts';
import { readComments } from './read-comments.ts';

/** Writes `proto/tollfree/core/v1` from the domain's schemas, and new numbers into `proto/field-numbers.json`. */
const { methods, messages } = protoMessages();
const numbers = withNewNumbers(readFieldNumbers(), messages.values());
const source = { methods, messages, numbers, comments: readComments(root) };
writeFieldNumbers(numbers);
for (const file of Object.keys(numbers.files)) write(file, protoFile(file, source));
write('core_service', serviceFile(source));

function write(file: string, text: string): void {
  writeFileSync(`proto/tollfree/core/v1/${file}.proto`, text);
}
