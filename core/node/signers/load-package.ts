import { StartError } from '../../domain/start-error.ts';

/**
 * Loads the client of a cloud, which is installed by those who use it only.
 *
 * @throws StartError with what to install when it is not there.
 */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new StartError(
      `A signer needs the package ${name}, which is not installed. Run npm install ${name} in the folder of tollfree.`,
      { tryAgain: false, cause },
    );
  }
}
