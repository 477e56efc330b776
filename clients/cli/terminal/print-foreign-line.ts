import { printLine } from './print-answer.ts';

/** Prints a line with text that others wrote, like a contract's revert: what is not printable must not reach the terminal. */
export function printForeignLine(text: string): void {
  printLine(text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\u{fffd}'));
}
