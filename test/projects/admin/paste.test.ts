/** What editors paste, as word processors and browsers put it into the clipboard. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isSkipped, openBrowser, type Person, saveBy, signIn, sitDown } from './browser.ts';
import { type Kiosk, openKiosk } from './kiosk.ts';

/** A red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

const GOOGLE_DOCS = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1">
<h2 dir="ltr"><span style="font-size:16pt;font-weight:400;">Title</span></h2>
<p dir="ltr" style="line-height:1.38;"><span style="font-weight:400;font-style:normal;text-decoration:none;white-space:pre-wrap;">plain </span><span style="font-weight:700;">bold</span><span style="font-weight:400;font-style:italic;"> italic</span><span style="text-decoration:underline;"> under</span> <a href="https://example.org/?a=1&amp;b=2" style="text-decoration:none;"><span style="color:#1155cc;text-decoration:underline;">link</span></a></p><br />
<ul><li dir="ltr" style="list-style-type:disc;" aria-level="1"><p dir="ltr" role="presentation"><span>one</span></p></li><ul><li aria-level="2"><p><span>deeper</span></p></li></ul></ul></b><br class="Apple-interchange-newline">`;

const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm;} --></style></head><body lang=EN style='tab-interval:36.0pt'><!--StartFragment-->
<p class=MsoNormal><b style='mso-bidi-font-weight:normal'>Bold</b> and
wrapped<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>Bullet one<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp; </span></span><![endif]>Numbered below</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>Bullet two</p>
<table class=MsoTableGrid><tr><td><p class=MsoNormal>Cell A</p></td><td><p>Cell B</p></td></tr><tr><td><p>C|</p></td><td><p>D</p></td></tr></table><!--EndFragment--></body></html>`;

const WORD_ONLINE = `<div class="ListContainerWrapper"><ol><li data-aria-level="1"><p><span style="font-weight:bold">First</span></p></li></ol></div><div class="ListContainerWrapper"><ol start="2"><li data-aria-level="1"><p>Second</p></li></ol></div>`;

const HOSTILE = `<p style="position:fixed">a<img src="x" onerror="alert(1)"><script>alert(1)</script><a href="javascript:alert(1)">b</a><style>*{display:none}</style></p>`;

const text = (value: string, marks: object = {}) => ({ type: 'text', text: value, ...marks });
const paragraph = (...children: object[]) => ({ type: 'paragraph', children });
const list = (format: string, ...children: object[]) => ({ type: 'list', format, children });
const item = (...children: object[]) => ({ type: 'list-item', children });

describe.skipIf(isSkipped)('what is pasted', () => {
  let browser: Browser;
  let kiosk: Kiosk;
  let editor: Person;
  let id: number;

  beforeAll(async () => {
    [browser, kiosk] = await Promise.all([openBrowser(), openKiosk()]);
    editor = await sitDown(browser, kiosk, await signIn(browser, kiosk, 'editor'));
    const data = { title: 'Pasted', slug: 'pasted', publishedAt: null };
    ({ id } = (await kiosk.send('POST', '/api/articles', { data })).data);
    await editor.open(`articles/${id}`);
  });
  afterAll(async () => {
    await browser?.close();
    await kiosk?.close();
  });
  // Neither do styles of the clipboard violate the policy of the page.
  afterEach(() => editor.expectNoComplaints());

  interface Clipboard {
    readonly html?: string;
    readonly text?: string;
    /** In Base64. */
    readonly image?: string;
  }

  /** `paste` takes the clipboard; `drop` takes what is dragged from outside. */
  async function give(field: Locator, { html, text: plain = 'plain', image }: Clipboard, how = 'paste'): Promise<void> {
    await field.click();
    await field.press('Control+a');
    await field.press('Delete');
    await field.evaluate(
      (node: any, given) => {
        const data = new (globalThis as any).DataTransfer();
        if (given.html !== undefined) data.setData('text/html', given.html);
        data.setData('text/plain', given.plain);
        if (given.image !== undefined) {
          const bytes = Uint8Array.from(atob(given.image), (byte: string) => byte.codePointAt(0) ?? 0);
          data.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
        }
        const { left, top } = node.getBoundingClientRect();
        const at = { bubbles: true, cancelable: true, clientX: left + 20, clientY: top + 15 };
        const { ClipboardEvent, DragEvent } = globalThis as any;
        node.dispatchEvent(
          given.how === 'paste'
            ? new ClipboardEvent('paste', { ...at, clipboardData: data })
            : new DragEvent('drop', { ...at, dataTransfer: data }),
        );
      },
      { html, plain, image, how },
    );
  }

  async function stored(): Promise<{ story: any[]; body: string }> {
    const { page } = editor;
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    await saveBy(page, () => page.getByRole('button', { name: 'Save draft' }).click());
    return (await kiosk.send('GET', `/api/articles/${id}?publicationState=preview`)).data.attributes;
  }

  it('becomes blocks, from word processors and from Markdown', async () => {
    const story = editor.page.getByRole('textbox', { name: 'Story' });
    const taken = async (clipboard: Clipboard) => {
      await give(story, clipboard);
      await expect.poll(() => story.textContent()).not.toBe('');
      return (await stored()).story;
    };
    expect(await taken({ html: GOOGLE_DOCS })).toEqual([
      { type: 'heading', level: 2, children: [text('Title')] },
      paragraph(
        text('plain '),
        text('bold', { bold: true }),
        text(' italic', { italic: true }),
        text(' under', { underline: true }),
        text(' '),
        { type: 'link', url: 'https://example.org/?a=1&b=2', children: [text('link')] },
      ),
      list('unordered', item(text('one')), list('unordered', item(text('deeper')))),
    ]);
    expect(await taken({ html: WORD })).toEqual([
      paragraph(text('Bold', { bold: true }), text(' and wrapped')),
      list(
        'unordered',
        item(text('Bullet one')),
        list('ordered', item(text('Numbered below'))),
        item(text('Bullet two')),
      ),
      paragraph(text('Cell A | Cell B')),
      paragraph(text('C| | D')),
    ]);
    expect(await taken({ html: WORD_ONLINE })).toEqual([
      list('ordered', item(text('First', { bold: true })), item(text('Second'))),
    ]);
    expect(await taken({ text: '# Heading\n\n- a **b**\n- [c](https://example.org)' })).toEqual([
      { type: 'heading', level: 1, children: [text('Heading')] },
      list(
        'unordered',
        item(text('a '), text('b', { bold: true })),
        item({ type: 'link', url: 'https://example.org', children: [text('c')] }),
      ),
    ]);
    await give(story, { html: HOSTILE });
    await editor.page.getByText('Some images could not be taken over.').waitFor();
    expect((await stored()).story).toEqual([paragraph(text('a')), paragraph(text('b'))]);
  });

  it('becomes Markdown', async () => {
    const body = editor.page.getByRole('textbox', { name: 'Body' });
    const taken = async (clipboard: Clipboard) => {
      await give(body, clipboard);
      await expect.poll(() => body.textContent()).not.toBe('');
      return (await stored()).body;
    };
    expect(await taken({ html: GOOGLE_DOCS })).toBe(
      '## Title\n\nplain **bold** *italic* under [link](https://example.org/?a=1&b=2)\n\n- one\n  - deeper',
    );
    expect(await taken({ html: WORD })).toBe(
      '**Bold** and wrapped\n\n- Bullet one\n  1. Numbered below\n- Bullet two\n\n| Cell A | Cell B |\n| --- | --- |\n| C\\| | D |',
    );
    expect(await taken({ html: '<span style="color:red">plain</span>' })).toBe('plain');
    expect(await taken({ html: HOSTILE })).toBe('a\n\nb');
  });

  it('stores images, also those within a text and dropped ones', async () => {
    const story = editor.page.getByRole('textbox', { name: 'Story' });
    const body = editor.page.getByRole('textbox', { name: 'Body' });
    const inText = `<p>before</p><img alt="dot" src="data:image/png;base64,${PNG}"><p>after</p>`;
    const isOurs = expect.stringMatching(/^\/uploads\/.+\.png$/u);
    for (const how of ['paste', 'drop']) {
      await give(story, { image: PNG, text: '' }, how);
      await story.locator('img').waitFor();
      await give(body, { image: PNG, text: '' }, how);
      await body.getByText('![').waitFor();
      const found = await stored();
      expect(found.story.filter(({ type }) => type === 'image')).toEqual([
        expect.objectContaining({ image: expect.objectContaining({ url: isOurs, mime: 'image/png' }) }),
      ]);
      expect(found.body).toMatch(/^!\[image\.png\]\(\/uploads\/.+\.png\)$/u);
    }
    await give(story, { html: inText });
    await story.getByText('after').waitFor();
    await give(body, { html: inText });
    await body.getByText('after').waitFor();
    const found = await stored();
    expect(found.story.map(({ type, image, children }) => image?.url ?? `${type}: ${children[0].text}`)).toEqual([
      'paragraph: before',
      isOurs,
      'paragraph: after',
    ]);
    expect(found.body).toMatch(/^before\n\n!\[dot\]\(\/uploads\/.+\.png\)\n\nafter$/u);
  });
});
