import { mistake } from './terminal/cli-error.ts';
import { readNamedFile } from './terminal/read-file.ts';

/**
 * The ABI in a file, as JSON text: the file's array, or the `abi` of a build artifact as compilers write it. Whether it is
 * an ABI is for the service to say.
 */
export function readAbiFile(file: string): string {
  const text = readNamedFile(file, 'The ABI file');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw mistake(`The ABI file ${file} is not JSON.`, error);
  }
  if (Array.isArray(content)) return JSON.stringify(content);
  if (typeof content === 'object' && content !== null && 'abi' in content && Array.isArray(content.abi)) {
    return JSON.stringify(content.abi);
  }
  throw mistake(`The ABI file ${file} holds neither an ABI (a JSON array) nor a build artifact with one in \`abi\`.`);
}
