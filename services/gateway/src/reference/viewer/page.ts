import { GUIDES } from './guide-list.ts'

type Content = Readonly<{
  title: string
  main: string
  scripts?: readonly string[]
  /** Name of the guide that is shown; null for the API itself. */
  shown: string | null
}>

const link = (href: string, title: string, isShown: boolean): string =>
  `<li><a href="${href}"${isShown ? ' aria-current="page"' : ''}>${title}</a></li>`

/** A page of the reference, with links to the others. */
export const renderPage = ({ title, main, scripts = [], shown }: Content): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css"></head>
<body><nav class="pages" aria-label="Pages"><ul>
${link('/docs', 'API', shown === null)}
${GUIDES.map(({ name, title: text }) => link(`/docs/${name}`, text, shown === name)).join('\n')}
</ul></nav>
${main}
${scripts.map((src) => `<script src="${src}"></script>`).join('\n')}
</body></html>
`

/** The page of the API: the viewer reads both documents and shows them. */
export const renderViewer = (): string =>
  renderPage({
    title: 'Causeway API',
    main: '<div id="reference"></div>',
    scripts: ['/docs/storage.js', '/docs/viewer.js', '/docs/start.js'],
    shown: null,
  })
