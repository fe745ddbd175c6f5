import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { useMemo } from 'react';

/** Rendered Markdown, sanitized so that it can neither run scripts nor style the admin panel. */
export default function MarkdownPreview({ text }: { readonly text: string }) {
  const html = useMemo(
    () =>
      DOMPurify.sanitize(marked.parse(text, { async: false }), {
        FORBID_ATTR: ['style'],
        FORBID_TAGS: ['style', 'form'],
      }),
    [text],
  );
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}
