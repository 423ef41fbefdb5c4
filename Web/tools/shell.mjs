/** The page of a market before any script has run. Nothing in it is inline: the content security policy forbids that. */
export const shell = ({ id, title, theme, description, icon, touchIcon, manifest, main, style, later, sprite, leaflet, preloads }) => `<!doctype html>
<html lang="en" dir="ltr" data-market="${id}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${theme}">
${icon ? `<link rel="icon" type="image/svg+xml" href="${icon}">\n<link rel="apple-touch-icon" href="${touchIcon}">\n<link rel="manifest" href="${manifest}">` : '<link rel="icon" href="data:,">'}
<link rel="stylesheet" href="${style}">
${later ? `<link rel="stylesheet" href="${later}" media="not all" data-later>\n` : ""}<link rel="preload" as="image" type="image/svg+xml" href="${sprite}" data-sprite>
<link data-leaflet href="${leaflet}">
${preloads.map((file) => `<link rel="modulepreload" href="${file}">`).join("\n")}
<script type="module" src="${main}"></script>
</head>
<body>
<div id="app"><div class="boot" aria-hidden="true"></div></div>
<noscript><p>This app needs JavaScript. يحتاج هذا التطبيق إلى جافاسكربت.</p></noscript>
</body>
</html>
`;
