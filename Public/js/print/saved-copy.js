// A copy of the page that was saved to a disk: no server is behind it, so it shows what was in sight and keeps still.
if (location.protocol === 'file:') document.getElementById('still').setAttribute('media', 'all')
