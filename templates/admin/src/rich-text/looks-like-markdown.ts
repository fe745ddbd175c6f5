/** Marks of Markdown that other text hardly has. */
const CERTAIN = [
  /^#{1,6} \S/mu,
  /^```/mu,
  /^> \S/mu,
  /!?\[[^\]\n]*\]\((?:https?:|mailto:|\/)[^)\s]*\)/u,
  /\*\*\S[^*\n]*\*\*/u,
  /^\|.+\|\s*\n\|[\s:|-]+\|\s*$/mu,
  /^[-*+] \S.*\n(?:\s*[-*+] \S.*(?:\n|$))+/mu,
  /^\d+[.)] \S.*\n(?:\s*\d+[.)] \S.*(?:\n|$))+/mu,
];

/** Whether plain text is meant as Markdown. */
export function looksLikeMarkdown(text: string): boolean {
  return CERTAIN.some((mark) => mark.test(text));
}
