// A copy of the page saved to disk has no server. It shows the pictures that were visible when it was saved, and does nothing.
if (location.protocol === 'file:') document.getElementById('still').setAttribute('media', 'all')
