import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PolicyPreviewItem } from '@tollfree/contract/policy';
import { useEffect, useState } from 'react';
import type { PolicyDraft } from './policy-draft.ts';

/** How long nothing is typed before a draft is previewed. */
const previewAfterMs = 400;

/** The days that a preview covers. */
export const previewDays = 7;

export const previewQuery = { days: String(previewDays) };

/** Previews what is proposed a moment after it has changed. */
export function usePreview(
  name: string,
  proposed: PolicyDraft,
  isEdited: boolean,
  preview: (proposed: PolicyDraft) => Promise<PolicyPreviewItem>,
) {
  const text = JSON.stringify(proposed);
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), previewAfterMs);
    return () => clearTimeout(timer);
  }, [text]);
  return useQuery({
    queryKey: ['policy-preview', name, asked],
    enabled: isEdited && asked === text,
    retry: false,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: () => preview(JSON.parse(asked) as PolicyDraft),
  });
}
