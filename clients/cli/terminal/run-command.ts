import type { Command, CommandOptions } from 'commander';
import { CliError, exitMistake, exitTryAgain } from './cli-error.ts';
import { describeAnswer, describeFailedRequest } from './describe-answer.ts';
import { describeError } from './describe-error.ts';

/** Errors whose message is a sentence for the operator. */
const sentences = new Set(['StoreError', 'SignerConfigError', 'StartError', 'RpcRefused', 'OperationRefused']);

/**
 * Runs a command. An error ends the program with one sentence on stderr and an exit code: 1 for a mistake, 75 for something
 * that may work later.
 */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  // Programs of the tests run many commands in one process.
  if (!process.stdout.listeners('error').includes(ignoreMissingReader)) process.stdout.on('error', ignoreMissingReader);
  try {
    await work();
  } catch (error) {
    const { sentence, exitCode } = explain(error);
    process.stderr.write(`tollfree: ${sentence}\n`);
    process.exit(exitCode);
  }
}

/** The reader of a pipe, like `head`, has read enough. The command goes on: a service has more to do than to print. */
function ignoreMissingReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
}

/** A command's action for commander: {@link runCommand} a function of a module, which is loaded only then. */
export function commandOf<Name extends string>(
  load: () => Promise<{ readonly [Key in NoInfer<Name>]: Run }>,
  name: Name,
): (...given: readonly unknown[]) => Promise<void> {
  return (...given) =>
    runCommand(async () => {
      const { [name]: run } = await load();
      // Commander adds the command itself as the last argument.
      await run(...(given.slice(0, -1) as never[]));
    });
}

type Run = (...given: never[]) => unknown;

/** Adds commands of a group: name with arguments, description, and the function of the module that runs it. */
export function commandsOf<Module extends { readonly [Name in keyof Module]: Run }>(
  group: Command,
  load: () => Promise<Module>,
  withOptions: (command: Command) => Command,
) {
  return (name: string, description: string, run: keyof Module & string, options?: CommandOptions): Command =>
    withOptions(group.command(name, options).description(description)).action(commandOf(load, run));
}

function explain(error: unknown): { sentence: string; exitCode: number } {
  if (error instanceof CliError) return { sentence: error.message, exitCode: error.exitCode };
  if (!(error instanceof Error)) return { sentence: 'An unexpected error occurred.', exitCode: exitMistake };
  if (error.name === 'CoreUnavailableError') {
    if (error.message.includes('token')) {
      return { sentence: `${capitalized(error.message)}. Name its file: --core-token-file.`, exitCode: exitMistake };
    }
    return { sentence: 'The core does not respond. Is it running, and is its address right?', exitCode: exitTryAgain };
  }
  if (error.name === 'TollfreeApiError') return { sentence: describeAnswer(error.message), exitCode: exitMistake };
  if (error.name === 'TransportError') {
    const failure = 'failure' in error ? error.failure : undefined;
    return { sentence: describeFailedRequest(error.message, failure), exitCode: exitTryAgain };
  }
  if (sentences.has(error.name)) {
    const again = 'tryAgain' in error && error.tryAgain === true;
    return { sentence: error.message, exitCode: again ? exitTryAgain : exitMistake };
  }
  if ('code' in error && error.code === 'EADDRINUSE') {
    return {
      sentence: `${listenAddressOf(error)} is in use. Stop the program that uses it, or choose another.`,
      exitCode: exitTryAgain,
    };
  }
  if ('code' in error && error.code === 'EACCES') {
    return { sentence: `${listenAddressOf(error)} may not be used by this user.`, exitCode: exitMistake };
  }
  const { name, message, stack = '' } = describeError(error);
  return { sentence: `Unexpected error: ${name}: ${message}\n${stack}`.trimEnd(), exitCode: exitMistake };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function listenAddressOf(error: Error): string {
  const address = 'address' in error && typeof error.address === 'string' ? error.address : '';
  const port = 'port' in error && typeof error.port === 'number' ? error.port : '';
  return port === '' ? 'The address' : `The address ${address}:${port}`;
}
