/** Most words of a sentence, and the highest grade of a page: Flesch-Kincaid, years of school in English. */
export const maxSentenceWords = 25;
export const maxGrade = 9;

/** A sentence of a page, with how many words it has. */
type Sentence = { readonly text: string; readonly words: number };

/** How hard a page is to read, without its code, tables, headings and the addresses of its links. */
export type Readability = { readonly grade: number; readonly long: readonly Sentence[] };

/** Sentences and list items of a text in Markdown. Code in backticks counts as one word. */
function sentencesOf(text: string): readonly Sentence[] {
  const prose = text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/^ *```[\s\S]*?^ *```/gm, '\n')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^\s*[|#>].*$/gm, '\n')
    .replace(/!?\[((?:[^\]`]|`[^`]*`)*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, 'code')
    .replaceAll('*', '');
  const blocks = prose.split(/\n\s*\n|\n\s*(?=- |\d+\. )/);
  return blocks
    .flatMap((block) => block.replace(/\s+/g, ' ').split(/(?<=[.:?!;])\s+/))
    .map((each) => ({ text: each.trim(), words: wordsOf(each).length }))
    .filter(({ words }) => words > 0);
}

function wordsOf(sentence: string): readonly string[] {
  return sentence.split(' ').filter((word) => /\p{L}/u.test(word));
}

/** By groups of vowels: what the grade is defined for is speech, so this is an estimate. */
function syllablesOf(word: string): number {
  return Math.max(
    1,
    (
      word
        .toLowerCase()
        .replace(/e$/, '')
        .match(/[aeiouy]+/g) ?? []
    ).length,
  );
}

/** Undefined for a page with fewer than ten sentences, whose grade says nothing. */
export function readabilityOf(text: string): Readability | undefined {
  const sentences = sentencesOf(text);
  if (sentences.length < 10) return undefined;
  const words = sentences.flatMap((sentence) => wordsOf(sentence.text));
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  const grade = 0.39 * (words.length / sentences.length) + 11.8 * (syllables / words.length) - 15.59;
  return { grade, long: sentences.filter((sentence) => sentence.words > maxSentenceWords) };
}
