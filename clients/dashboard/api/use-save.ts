import { useMutation } from '@tanstack/react-query';
import { TollfreeApiError } from '@tollfree/sdk';
import { useRef } from 'react';
import { mergeSettings } from './merge-settings.ts';

/** The settings of an object, and their version. */
export type Versioned<Settings> = { readonly settings: Settings; readonly etag: string | undefined };

/** A change of settings, and the object as its author saw it: what both have in common was not changed. */
type Change<Settings> = { readonly seen: Versioned<Settings>; readonly mine: Settings };

type Saving<Settings extends object, Saved> = {
  readonly readNow: () => Promise<Versioned<Settings>>;
  /** Saves the settings unless the object has another version by now than the one with the settings `before`. */
  readonly write: (settings: Settings, headers: VersionHeaders, before: Settings) => Promise<Saved>;
  readonly onSuccess?: (saved: Saved) => void;
};

export type VersionHeaders = { readonly 'if-match'?: string; readonly authtoken?: undefined };

/** The header that makes a change depend on the version of its object. */
export function ifMatch(etag: string | undefined): VersionHeaders {
  return etag === undefined ? {} : { 'if-match': `"${etag}"` };
}

/** Most times that a change is merged with one that came in between. */
const mostMerges = 3;

/**
 * Saves settings that others may change at the same time. What they changed in the meantime stays; if it is the same field, the
 * mutation fails and says so, and saving again replaces it.
 */
export function useSave<Settings extends object, Saved>(saving: Saving<Settings, Saved>) {
  // The state that the user has been told of.
  const told = useRef<Versioned<Settings>>(undefined);
  return useMutation({
    mutationFn: async ({ seen, mine }: Change<Settings>) => {
      let now = told.current ?? seen;
      for (let merges = 0; ; merges += 1) {
        const { settings } = mergeSettings(seen.settings, mine, now.settings);
        try {
          return await saving.write(settings, ifMatch(now.etag), now.settings);
        } catch (error) {
          if (!isStale(error) || merges === mostMerges) throw error;
          const before = now;
          now = await saving.readNow();
          const { conflicts } = mergeSettings(before.settings, settings, now.settings);
          if (conflicts.length === 0) continue;
          told.current = now;
          throw new ChangedMeanwhile(error, { cause: error });
        }
      }
    },
    onSuccess: (saved) => {
      told.current = undefined;
      saving.onSuccess?.(saved);
    },
  });
}

function isStale(error: unknown): error is TollfreeApiError {
  return error instanceof TollfreeApiError && error.status === 412;
}

/** What someone else has changed, and who, if that is why a change was refused. */
export function othersChange(error: unknown): string | undefined {
  return isStale(error) ? error.message.replace(/ Read it again and repeat the change\.$/, '') : undefined;
}

/** Someone else has changed the same field. The service names the field and the author. */
class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';

  constructor(stale: TollfreeApiError, options: ErrorOptions) {
    super(`${othersChange(stale)} Save again to replace that with yours, or reload the page to see it.`, options);
  }
}
