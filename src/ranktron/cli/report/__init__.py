"""The league as a page for the browser."""
