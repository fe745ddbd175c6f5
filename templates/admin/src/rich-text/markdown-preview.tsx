import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { useMemo } from 'react';

/** Markdown as a page shows it, without anything that could run or style the admin page. */
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
